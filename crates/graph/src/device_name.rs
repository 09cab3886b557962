//! Device names: full ones (`/job:ps/replica:0/task:0/device:CPU:0`) and partial ones, which leave parts open.

use std::fmt;

use downpour_tensor::{Result, Status};

/// The parts of a device name that are given; `None` matches anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeviceName {
    pub job: Option<String>,
    pub replica: Option<u32>,
    pub task: Option<u32>,
    /// `CPU`, `GPU`, in capitals.
    pub kind: Option<String>,
    pub index: Option<u32>,
}

impl DeviceName {
    /// The first processor of a task.
    pub fn cpu(job: &str, task: u32) -> DeviceName {
        DeviceName {
            job: Some(job.to_string()),
            replica: Some(0),
            task: Some(task),
            kind: Some("CPU".to_string()),
            index: Some(0),
        }
    }

    /// Reads `/job:worker/task:1/device:CPU:0`, any part of it, and the older `/cpu:0`.
    pub fn parse(text: &str) -> Result<DeviceName> {
        let wrong = |why: &str| {
            Status::invalid_argument(format!(
                "Malformed device specification '{text}': {why}. Write it as \
                 /job:NAME/replica:0/task:N/device:CPU:0, any part may be left out."
            ))
        };
        let mut name = DeviceName::default();
        if text.is_empty() {
            return Ok(name);
        }
        let rest = text.strip_prefix('/').ok_or_else(|| wrong("it must begin with '/'"))?;
        for part in rest.split('/').filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once(':').unwrap_or((part, "*"));
            match key {
                "job" => name.job = open(value).map(str::to_string),
                "replica" => name.replica = number(value).map_err(|()| wrong("replica"))?,
                "task" => name.task = number(value).map_err(|()| wrong("task"))?,
                "device" => {
                    let (kind, index) = value.split_once(':').unwrap_or((value, "*"));
                    name.kind = open(kind).map(str::to_uppercase);
                    name.index = number(index).map_err(|()| wrong("device number"))?;
                }
                kind if kind.eq_ignore_ascii_case("cpu") || kind.eq_ignore_ascii_case("gpu") => {
                    name.kind = Some(kind.to_uppercase());
                    name.index = number(value).map_err(|()| wrong("device number"))?;
                }
                other => return Err(wrong(&format!("unknown part '{other}'"))),
            }
        }
        Ok(name)
    }

    /// True when every part this name gives agrees with `full`.
    pub fn matches(&self, full: &DeviceName) -> bool {
        fn agrees<T: PartialEq>(wanted: &Option<T>, have: &Option<T>) -> bool {
            wanted.is_none() || wanted == have
        }
        agrees(&self.job, &full.job)
            && agrees(&self.replica, &full.replica)
            && agrees(&self.task, &full.task)
            && agrees(&self.kind, &full.kind)
            && agrees(&self.index, &full.index)
    }

    /// Both constraints in one; `Err` names the part on which they disagree.
    pub fn merge(&self, other: &DeviceName) -> std::result::Result<DeviceName, &'static str> {
        fn both<T: Clone + PartialEq>(
            a: &Option<T>,
            b: &Option<T>,
            part: &'static str,
        ) -> std::result::Result<Option<T>, &'static str> {
            match (a, b) {
                (Some(x), Some(y)) if x != y => Err(part),
                (Some(x), _) => Ok(Some(x.clone())),
                (None, y) => Ok(y.clone()),
            }
        }
        Ok(DeviceName {
            job: both(&self.job, &other.job, "job")?,
            replica: both(&self.replica, &other.replica, "replica")?,
            task: both(&self.task, &other.task, "task")?,
            kind: both(&self.kind, &other.kind, "device type")?,
            index: both(&self.index, &other.index, "device number")?,
        })
    }

    /// The same task, whatever the device.
    pub fn task_only(&self) -> DeviceName {
        DeviceName { kind: None, index: None, ..self.clone() }
    }

    pub fn is_open(&self) -> bool {
        *self == DeviceName::default()
    }
}

fn open(value: &str) -> Option<&str> {
    (value != "*" && !value.is_empty()).then_some(value)
}

fn number(value: &str) -> std::result::Result<Option<u32>, ()> {
    open(value).map(|v| v.parse().map_err(drop)).transpose()
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            write!(f, "/job:{job}")?;
        }
        if let Some(replica) = self.replica {
            write!(f, "/replica:{replica}")?;
        }
        if let Some(task) = self.task {
            write!(f, "/task:{task}")?;
        }
        match (&self.kind, self.index) {
            (Some(kind), Some(index)) => write!(f, "/device:{kind}:{index}"),
            (Some(kind), None) => write!(f, "/device:{kind}:*"),
            (None, Some(index)) => write!(f, "/device:*:{index}"),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_names_match_by_what_they_name() {
        let device = DeviceName::parse("/job:localhost/replica:0/task:0/device:CPU:0").unwrap();
        assert_eq!(device, DeviceName::cpu("localhost", 0));
        let matches = |text: &str| DeviceName::parse(text).unwrap().matches(&device);
        for good in ["", "/cpu:0", "/device:CPU:0", "/job:localhost", "/task:0", "/device:cpu:*"] {
            assert!(matches(good), "{good}");
        }
        for bad in ["/device:GPU:0", "/job:worker", "/task:1", "/device:CPU:1", "/gpu:0"] {
            assert!(!matches(bad), "{bad}");
        }
        for malformed in ["job:a", "/task:x", "/rack:1", "/device:CPU:-1"] {
            let e = DeviceName::parse(malformed).unwrap_err();
            assert!(e.message().contains(malformed), "{e}");
        }
    }

    #[test]
    fn names_merge_or_say_where_they_differ() {
        let parse = |text: &str| DeviceName::parse(text).unwrap();
        let merged = parse("/job:ps").merge(&parse("/task:2/cpu:0")).unwrap();
        assert_eq!(merged.to_string(), "/job:ps/task:2/device:CPU:0");
        assert_eq!(parse("/job:ps/task:1").merge(&parse("/job:ps/task:2")), Err("task"));
        assert_eq!(parse(&merged.to_string()), merged);
        assert!(parse("/job:*").is_open());
    }
}
