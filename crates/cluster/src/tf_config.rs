//! TF_CONFIG: how Kubernetes' TFJob and others tell a process its cluster and its place.

use downpour_tensor::{Result, Status};
use serde_json::Value;

use crate::spec::ClusterSpec;

/// `{"cluster": {"ps": [...], "worker": [...]}, "task": {"type": "worker", "index": 0}}`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TfConfig {
    pub cluster: ClusterSpec,
    pub job: Option<String>,
    pub task: Option<u32>,
}

impl TfConfig {
    pub fn from_json(text: &str) -> Result<TfConfig> {
        let wrong = |what: String| Status::invalid_argument(format!("TF_CONFIG: {what}"));
        let value: Value =
            serde_json::from_str(text).map_err(|e| wrong(format!("not valid JSON: {e}")))?;
        let cluster = match &value["cluster"] {
            Value::Null => ClusterSpec::default(),
            cluster => ClusterSpec::from_value(cluster).map_err(|e| e.context("TF_CONFIG"))?,
        };
        let task = &value["task"];
        let job = task["type"].as_str().map(String::from);
        let index = match &task["index"] {
            Value::Null => None,
            // Some launchers write the number as text.
            Value::String(text) => Some(text.parse().map_err(|_| ())),
            number => Some(number.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or(())),
        };
        let task = index.transpose().map_err(|()| {
            wrong(format!("the task's index must be a number, not {}", task["index"]))
        })?;
        Ok(TfConfig { cluster, job, task })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_launchers_write_is_read() {
        let text = r#"{"cluster": {"chief": ["a:1"], "ps": ["b:2"]},
            "task": {"type": "chief", "index": "0"}, "environment": "cloud"}"#;
        let config = TfConfig::from_json(text).unwrap();
        assert_eq!((config.job.as_deref(), config.task), (Some("chief"), Some(0)));
        assert_eq!(config.cluster.len(), 2);
        assert_eq!(TfConfig::from_json("{}").unwrap(), TfConfig::default());
        for bad in ["", "[1", r#"{"cluster": 3}"#, r#"{"task": {"index": -1}}"#] {
            let e = TfConfig::from_json(bad).unwrap_err();
            assert!(e.message().contains("TF_CONFIG"), "{bad}: {e}");
        }
    }
}
