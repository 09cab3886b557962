//! Which tasks make up a cluster, and which of them we are.

use std::collections::BTreeMap;
use std::fmt;

use downpour_tensor::{Result, Status};
use downpour_wire::proto::{ClusterDef, JobDef};
use serde_json::Value;

/// Jobs and the addresses of their tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterSpec {
    jobs: BTreeMap<String, BTreeMap<u32, String>>,
}

/// One task's place in a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskAddress {
    pub job: String,
    pub task: u32,
    pub address: String,
}

impl fmt::Display for TaskAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/job:{}/task:{}", self.job, self.task)
    }
}

impl ClusterSpec {
    /// `{"ps": ["host:port", ...], "worker": {"0": "host:port", "7": ...}}`
    pub fn from_json(text: &str) -> Result<ClusterSpec> {
        let value: Value = serde_json::from_str(text)
            .map_err(|e| Status::invalid_argument(format!("the cluster is not valid JSON: {e}")))?;
        ClusterSpec::from_value(&value)
    }

    /// The same, already parsed.
    pub fn from_value(value: &Value) -> Result<ClusterSpec> {
        let wrong = |what: &str| Status::invalid_argument(format!("the cluster's JSON: {what}"));
        let jobs = value.as_object().ok_or_else(|| wrong("expected an object of jobs"))?;
        let mut spec = ClusterSpec::default();
        for (job, tasks) in jobs {
            let entries: Vec<(String, &Value)> = match tasks {
                Value::Array(list) => {
                    list.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect()
                }
                Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), v)).collect(),
                _ => return Err(wrong(&format!("job '{job}' must be a list or an object"))),
            };
            let mut addresses = BTreeMap::new();
            for (index, address) in entries {
                let number = index
                    .parse()
                    .map_err(|_| wrong(&format!("'{index}' is no task number in job '{job}'")))?;
                let address = address
                    .as_str()
                    .ok_or_else(|| wrong(&format!("task {index} of job '{job}' has no address")))?;
                addresses.insert(number, address.to_string());
            }
            spec.jobs.insert(job.clone(), addresses);
        }
        Ok(spec)
    }

    /// The address of one task.
    pub fn task(&self, job: &str, task: u32) -> Result<TaskAddress> {
        let tasks = self.jobs.get(job).ok_or_else(|| {
            let known: Vec<&str> = self.jobs.keys().map(String::as_str).collect();
            Status::invalid_argument(format!(
                "there is no job '{job}' in the cluster; it has: {}",
                known.join(", ")
            ))
        })?;
        let address = tasks.get(&task).ok_or_else(|| {
            let known: Vec<String> = tasks.keys().map(u32::to_string).collect();
            Status::invalid_argument(format!(
                "job '{job}' has no task {task}; it has: {}",
                known.join(", ")
            ))
        })?;
        Ok(TaskAddress { job: job.to_string(), task, address: address.clone() })
    }

    /// A cluster of one task.
    pub fn single(job: &str, task: u32, address: &str) -> ClusterSpec {
        let tasks = BTreeMap::from([(task, address.to_string())]);
        ClusterSpec { jobs: BTreeMap::from([(job.to_string(), tasks)]) }
    }

    /// A cluster as messages carry it.
    pub fn from_proto(proto: &ClusterDef) -> Result<ClusterSpec> {
        let mut spec = ClusterSpec::default();
        for job in &proto.job {
            let tasks = spec.jobs.entry(job.name.clone()).or_default();
            for (&task, address) in &job.tasks {
                let task = u32::try_from(task).map_err(|_| {
                    Status::invalid_argument(format!("job '{}' has a task {task}", job.name))
                })?;
                tasks.insert(task, address.clone());
            }
        }
        Ok(spec)
    }

    pub fn to_proto(&self) -> ClusterDef {
        let job = |(name, tasks): (&String, &BTreeMap<u32, String>)| JobDef {
            name: name.clone(),
            tasks: tasks.iter().map(|(&task, address)| (task as i32, address.clone())).collect(),
        };
        ClusterDef { job: self.jobs.iter().map(job).collect() }
    }

    /// All tasks, by job and number.
    pub fn tasks(&self) -> impl Iterator<Item = TaskAddress> + '_ {
        self.jobs.iter().flat_map(|(job, tasks)| {
            let address = |(&task, address): (&u32, &String)| TaskAddress {
                job: job.clone(),
                task,
                address: address.clone(),
            };
            tasks.iter().map(address)
        })
    }

    /// Number of tasks in all jobs.
    pub fn len(&self) -> usize {
        self.jobs.values().map(BTreeMap::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_sparse_jobs_are_read() {
        let spec = ClusterSpec::from_json(r#"{"ps": ["a:1"], "worker": {"0": "b:2", "7": "c:3"}}"#)
            .unwrap();
        assert_eq!(spec.task("worker", 7).unwrap().address, "c:3");
        assert_eq!(spec.len(), 3);
        let e = spec.task("worker", 1).unwrap_err();
        assert!(e.message().contains("0, 7"), "{e}");
        assert!(spec.task("chief", 0).unwrap_err().message().contains("ps, worker"));
        assert!(ClusterSpec::from_json("[]").is_err());
        assert!(ClusterSpec::from_json("{").is_err());
    }
}
