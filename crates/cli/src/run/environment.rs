//! What a task's command finds in its environment.

use std::ffi::OsString;

use serde_json::{Value, json};

/// A variable and its value.
pub type Variable = (&'static str, OsString);

/// TF_CONFIG of one task.
pub fn tf_config(cluster: &Value, job: &str, task: u32) -> Variable {
    let config = json!({"cluster": cluster, "task": {"type": job, "index": task}});
    ("TF_CONFIG", config.to_string().into())
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
    fn what_is_set_is_kept() {
        let none = common(|_| None);
        assert_eq!(none, [("PYTHONUNBUFFERED", "1".into()), ("no_grpc_proxy", "127.0.0.1".into())]);
        let all = common(|name| (name != "no_grpc_proxy").then(|| "inner.example".into()));
        assert_eq!(all, [("no_grpc_proxy", "inner.example,127.0.0.1".into())]);
    }
}
