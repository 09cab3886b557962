//! What a task's command finds in its environment.

use std::ffi::OsString;
use std::sync::OnceLock;

use downpour_cluster::{CLUSTER_KEY_VARIABLE, ClusterKey};
use serde_json::{Value, json};

/// A variable and its value.
pub type Variable = (&'static str, OsString);

/// TF_CONFIG of one task.
pub fn tf_config(cluster: &Value, job: &str, task: u32) -> Variable {
    let config = json!({"cluster": cluster, "task": {"type": job, "index": task}});
    ("TF_CONFIG", config.to_string().into())
}

/// The key of the cluster, which all tasks get and nobody else, unless this process has been given one: then they find it in
/// their environment anyway.
pub fn cluster_key(current: impl Fn(&str) -> Option<OsString>) -> Option<Variable> {
    static KEY: OnceLock<Option<ClusterKey>> = OnceLock::new();
    if current(CLUSTER_KEY_VARIABLE).is_some() {
        return None;
    }
    let key = KEY.get_or_init(|| {
        let key = ClusterKey::random();
        key.inspect_err(|e| tracing::warn!("the tasks have no key in common: {e}")).ok()
    });
    key.as_ref().map(|key| (CLUSTER_KEY_VARIABLE, key.to_hex().into()))
}

/// What all commands get, given what this process has.
pub fn common(current: impl Fn(&str) -> Option<OsString>) -> Vec<Variable> {
    let mut variables = Vec::new();
    if current("PYTHONUNBUFFERED").is_none() {
        variables.push(("PYTHONUNBUFFERED", "1".into()));
    }
    // gRPC would send calls to loopback through a proxy; of these two it reads only the first that is set.
    let exempt = current("no_grpc_proxy").or_else(|| current("no_proxy")).unwrap_or_default();
    let separator = if exempt.is_empty() { "" } else { "," };
    let mut all = exempt;
    all.push(separator);
    all.push("127.0.0.1");
    variables.push(("no_grpc_proxy", all));
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tasks_have_the_same_key() {
        let (name, key) = cluster_key(|_| None).unwrap();
        assert_eq!(cluster_key(|_| None), Some((name, key.clone())));
        ClusterKey::parse(key.to_str().unwrap()).unwrap();
        assert_eq!(cluster_key(|_| Some("given".into())), None);
    }

    #[test]
    fn what_is_set_is_kept() {
        let none = common(|_| None);
        assert_eq!(none, [("PYTHONUNBUFFERED", "1".into()), ("no_grpc_proxy", "127.0.0.1".into())]);
        let all = common(|name| (name != "no_grpc_proxy").then(|| "inner.example".into()));
        assert_eq!(all, [("no_grpc_proxy", "inner.example,127.0.0.1".into())]);
    }
}
