//! What the tasks of a run say about it: one JSON object a line, in `RUN/tasks/TASK.jsonl`.
//!
//! Files, not messages: they outlive their processes, can be read while training runs (that is where
//! progress bars come from) and after it (that is where the report comes from), and a restarted task goes on
//! in the same file. A line that was cut short by a crash is skipped.

mod number;
mod run;
mod tail;

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(test)]
pub(crate) use run::testing;
pub use run::{
    Clock, Happening, Kind, Life, Metric, Outcome, Place, Point, Rewind, Run, Sample, Servers,
    Split, Task,
};
pub use tail::{News, Tail};

use serde::{Deserialize, Serialize};

/// Seconds since the epoch.
pub type Time = f64;

/// The time now.
pub fn now() -> Time {
    // A clock before 1970 is no reason to stop.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |passed| passed.as_secs_f64())
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    Started(Started),
    Progress(Progress),
    Evaluated(Evaluated),
    Saved(Saved),
    Finished(Finished),
}

/// A task begins, or begins again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Started {
    pub time: Time,
    /// `worker/0`, `ps/1`, `local`.
    pub task: String,
    pub address: String,
    /// The global step found: 0, or that of the checkpoint it goes on from.
    pub step: i64,
    pub target_step: Option<i64>,
    pub restarts: u32,
    /// Only from the chief: what is trained and how, in lines for people.
    #[serde(default)]
    pub job: BTreeMap<String, String>,
    /// Only from the chief: every variable with its task and bytes.
    #[serde(default)]
    pub variables: Vec<VariablePlace>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariablePlace {
    pub name: String,
    pub shape: Vec<i64>,
    pub bytes: u64,
    pub task: String,
}

/// Written once in a while by every worker. Counters grow from the task's (latest) start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    pub time: Time,
    /// The global step after the task's latest step.
    pub step: i64,
    /// Steps this task has run.
    pub steps: u64,
    pub examples: u64,
    /// Mean over the steps since the line before.
    #[serde(with = "number")]
    pub loss: f64,
    #[serde(default, with = "number::map")]
    pub metrics: BTreeMap<String, f64>,
    pub seconds: Seconds,
}

/// Where a worker's time went since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Waiting for the next batch.
    pub data: f64,
    /// Running training steps, from feeding to fetching.
    pub step: f64,
    pub evaluation: f64,
    pub checkpoint: f64,
    /// Building the graph, waiting for other tasks, initialising, restoring.
    pub start: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    pub time: Time,
    pub step: i64,
    pub examples: u64,
    #[serde(with = "number::map")]
    pub metrics: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    pub time: Time,
    pub step: i64,
    pub path: String,
    pub bytes: u64,
    /// How long the writing took; training went on meanwhile.
    pub seconds: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    pub time: Time,
    pub step: i64,
    /// `reached step 2000`, `stopped by a signal`, `failed: ...`.
    pub reason: String,
    pub failed: bool,
}
