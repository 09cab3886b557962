//! How everything stands, for people.

use serde::{Deserialize, Serialize};

use super::request::Measurements;

/// How everything stands.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Survey {
    /// Counts changes of membership.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
    /// Those who live.
    #[prost(message, repeated, tag = "2")]
    pub members: Vec<MemberStatus>,
    /// All datasets.
    #[prost(message, repeated, tag = "3")]
    pub datasets: Vec<DatasetStatus>,
    /// Tasks that have not ended, and some that have.
    #[prost(message, repeated, tag = "4")]
    pub tasks: Vec<TaskStatus>,
    /// The latest decisions, oldest first.
    #[prost(message, repeated, tag = "5")]
    pub decisions: Vec<DecisionNote>,
}

/// How a member stands.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct MemberStatus {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub member: u64,
    /// Its epoch.
    #[prost(uint64, tag = "2")]
    pub epoch: u64,
    /// Its name.
    #[prost(string, tag = "3")]
    pub name: String,
    /// Milliseconds since it was heard of.
    #[prost(uint64, tag = "4")]
    pub silent_millis: u64,
    /// Examples per second, measured; 0 if unknown.
    #[prost(double, tag = "5")]
    pub speed: f64,
    /// Units it holds.
    #[prost(uint64, tag = "6")]
    pub leases: u64,
    /// Capacity and what of it tasks take.
    #[prost(uint64, tag = "7")]
    pub capacity: u64,
    /// What of it tasks take.
    #[prost(uint64, tag = "8")]
    pub used: u64,
    /// What it last said of itself.
    #[prost(message, optional, tag = "9")]
    pub measurements: Option<Measurements>,
}

/// How a dataset stands.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct DatasetStatus {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
    /// Its name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Epochs that are complete.
    #[prost(uint32, tag = "3")]
    pub epochs_complete: u32,
    /// Epochs in all.
    #[prost(uint32, tag = "4")]
    pub epochs: u32,
    /// Examples done of the oldest epoch that is not complete.
    #[prost(uint64, tag = "5")]
    pub done: u64,
    /// Examples of an epoch.
    #[prost(uint64, tag = "6")]
    pub examples: u64,
    /// Units that somebody holds.
    #[prost(uint64, tag = "7")]
    pub held: u64,
    /// Units that came back and wait.
    #[prost(uint64, tag = "8")]
    pub returned: u64,
}

/// How a task stands.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct TaskStatus {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub task: u64,
    /// Its name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Waiting, assigned or ended.
    #[prost(enumeration = "TaskState", tag = "3")]
    pub state: i32,
    /// Who has it.
    #[prost(uint64, tag = "4")]
    pub member: u64,
    /// Counts the times it was assigned.
    #[prost(uint32, tag = "5")]
    pub attempt: u32,
    /// How it ended: 0, or a status code.
    #[prost(int32, tag = "6")]
    pub code: i32,
    /// What was said about its end.
    #[prost(string, tag = "7")]
    pub message: String,
}

/// Where a task is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum TaskState {
    /// Nobody has room for it yet.
    Queued = 0,
    /// A member runs it.
    Assigned = 1,
    /// It is over.
    Ended = 2,
}

/// A decision, in words.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct DecisionNote {
    /// Milliseconds ago.
    #[prost(uint64, tag = "1")]
    pub millis_ago: u64,
    /// One sentence.
    #[prost(string, tag = "2")]
    pub why: String,
}
