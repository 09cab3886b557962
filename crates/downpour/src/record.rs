//! What the tasks of a run say about it: one JSON object a line, in `RUN/tasks/TASK.jsonl`.
//!
//! Files, not messages: they outlive their processes, can be read while training runs (that is where
//! progress bars come from) and after it (that is where the report comes from), and a restarted task goes on
//! in the same file. A line that was cut short by a crash is skipped.

mod leases;
mod number;
mod run;
mod tail;
mod traffic;

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

pub use leases::{Decided, LeaseCounts, Leased};
#[cfg(test)]
pub(crate) use run::testing;
pub use run::{
    Clock, Happening, Kind, Life, Metric, Outcome, Place, Point, Rewind, Run, Sample, Servers,
    Split, Staleness, Task,
};
pub use tail::{News, Tail};
pub use traffic::{Books, Served, Traffic};

use serde::{Deserialize, Serialize};

/// Seconds since the epoch.
pub type Time = f64;

/// The time now.
pub fn now() -> Time {
    // A clock before 1970 is no reason to stop.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |passed| passed.as_secs_f64())
}

/// A line of a task's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A task begins.
    Started(Started),
    /// A worker has trained on.
    Progress(Progress),
    /// A parameter server has served on.
    Served(Served),
    /// The model was measured.
    Evaluated(Evaluated),
    /// A checkpoint was saved.
    Saved(Saved),
    /// A worker has left the parameter servers.
    Pushed(Pushed),
    /// Variables have moved to other parameter servers; from the chief.
    Moved(Moved),
    /// How leased data stands, from the coordinator.
    Leased(Leased),
    /// The coordinator wants another worker, or one less.
    Decided(Decided),
    /// Something went wrong that training goes on in spite of.
    Warned(Warned),
    /// A task ends.
    Finished(Finished),
}

impl Event {
    /// When it happened, by the clock of its task.
    pub(crate) fn time_mut(&mut self) -> &mut Time {
        match self {
            Event::Started(event) => &mut event.time,
            Event::Progress(event) => &mut event.time,
            Event::Served(event) => &mut event.time,
            Event::Evaluated(event) => &mut event.time,
            Event::Saved(event) => &mut event.time,
            Event::Pushed(event) => &mut event.time,
            Event::Moved(event) => &mut event.time,
            Event::Leased(event) => &mut event.time,
            Event::Decided(event) => &mut event.time,
            Event::Warned(event) => &mut event.time,
            Event::Finished(event) => &mut event.time,
        }
    }
}

/// A task begins, or begins again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// When.
    pub time: Time,
    /// `worker/0`, `ps/1`, `local`.
    pub task: String,
    /// Where it serves; empty if it is alone.
    pub address: String,
    /// The global step found: 0, or that of the checkpoint it goes on from.
    pub step: i64,
    /// The global step at which training is to end.
    pub target_step: Option<i64>,
    /// How often it was started again.
    pub restarts: u32,
    /// Only from the chief: what is trained and how, in lines for people.
    #[serde(default)]
    pub job: BTreeMap<String, String>,
    /// Only from the chief: every variable with its task and bytes.
    #[serde(default)]
    pub variables: Vec<VariablePlace>,
}

/// A variable and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariablePlace {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<i64>,
    /// How large it is.
    pub bytes: u64,
    /// The task it stands on, as `ps/0`.
    pub task: String,
}

/// Written once in a while by every worker. Counters grow from the task's (latest) start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// When.
    pub time: Time,
    /// The global step after the task's latest step.
    pub step: i64,
    /// Steps this task has run.
    pub steps: u64,
    /// Examples this task has trained on.
    pub examples: u64,
    /// Mean over the steps since the line before.
    #[serde(with = "number")]
    pub loss: f64,
    /// Measures of training batches.
    #[serde(default, with = "number::map")]
    pub metrics: BTreeMap<String, f64>,
    /// Where time went.
    pub seconds: Seconds,
    /// What became of leases, where data is leased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leases: Option<LeaseCounts>,
    /// What went over the network; missing where nobody counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Traffic>,
}

/// Where a worker's time went since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Waiting for the next batch.
    pub data: f64,
    /// Running training steps, from feeding to fetching.
    pub step: f64,
    /// Exchanging gradients and parameters with other tasks after them, waiting for these included; missing
    /// where that happens inside of the step's graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<f64>,
    /// Measuring the model.
    pub evaluation: f64,
    /// Reading variables for checkpoints.
    pub checkpoint: f64,
    /// Building the graph, waiting for other tasks, initialising, restoring.
    pub start: f64,
}

impl Seconds {
    /// What came after an earlier moment.
    pub(crate) fn since(&self, earlier: &Seconds) -> Seconds {
        Seconds {
            data: self.data - earlier.data,
            step: self.step - earlier.step,
            exchange: self.exchange.map(|now| now - earlier.exchange.unwrap_or(0.0)),
            evaluation: self.evaluation - earlier.evaluation,
            checkpoint: self.checkpoint - earlier.checkpoint,
            start: self.start - earlier.start,
        }
    }
}

/// The model was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// When.
    pub time: Time,
    /// The global step.
    pub step: i64,
    /// How many examples were looked at.
    pub examples: u64,
    /// The measures by name, `loss` among them.
    #[serde(with = "number::map")]
    pub metrics: BTreeMap<String, f64>,
}

/// A checkpoint was saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// When.
    pub time: Time,
    /// The global step.
    pub step: i64,
    /// Its prefix.
    pub path: String,
    /// Bytes of its files.
    pub bytes: u64,
    /// How long the writing took; training went on meanwhile.
    pub seconds: f64,
}

/// A worker has left the parameter servers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pushed {
    /// When.
    pub time: Time,
    /// Of each server, how many of its updates were used there, of all its starts; those a server has lost later
    /// are among them.
    pub used: Vec<u64>,
}

/// Variables have moved to other parameter servers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// When the chief has gone on with it.
    pub time: Time,
    /// How often they have moved.
    pub layout: u64,
    /// What was measured, and what is expected.
    pub why: String,
    /// `table [0..500] from ps/0 to ps/1`.
    pub moved: Vec<String>,
}

/// Something went wrong that training goes on in spite of: a damaged checkpoint, a disk that is nearly full.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Warned {
    /// When.
    pub time: Time,
    /// What, and what to do, in words for people.
    pub text: String,
}

/// A task ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// When.
    pub time: Time,
    /// The global step.
    pub step: i64,
    /// `reached step 2000`, `stopped by a signal`, `failed: ...`.
    pub reason: String,
    /// Whether it ended by an error.
    pub failed: bool,
}
