//! What is asked about tasks.

use serde::{Deserialize, Serialize};

/// There is a task. The same again is answered the same; another of the same name is refused.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SubmitTask {
    /// Which.
    #[prost(message, optional, tag = "1")]
    pub spec: Option<TaskSpec>,
}

/// Something a member is to run: a parameter server, an evaluator, a part of a model.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct TaskSpec {
    /// Unique: "evaluate/0".
    #[prost(string, tag = "1")]
    pub name: String,
    /// Higher ones are assigned first.
    #[prost(sint32, tag = "2")]
    pub priority: i32,
    /// How much of a member's capacity it takes.
    #[prost(uint64, tag = "3")]
    pub capacity: u64,
    /// What a member must be able to do.
    #[prost(string, repeated, tag = "4")]
    pub capabilities: Vec<String>,
    /// May be stopped for a task of higher priority, and moved.
    #[prost(bool, tag = "5")]
    pub preemptible: bool,
    /// May stop preemptible tasks of lower priority when nothing is free.
    #[prost(bool, tag = "6")]
    pub preempts: bool,
    /// What it is, for the member.
    #[prost(string, tag = "7")]
    pub payload: String,
}

/// A task I had has ended.
#[derive(Clone, PartialEq, prost::Message)]
pub struct EndTask {
    /// Which.
    #[prost(uint64, tag = "1")]
    pub task: u64,
    /// Which attempt, from the assignment.
    #[prost(uint32, tag = "2")]
    pub attempt: u32,
    /// 0, or the code of the error it ended with.
    #[prost(int32, tag = "3")]
    pub code: i32,
    /// What there is to say about it.
    #[prost(string, tag = "4")]
    pub message: String,
}

/// A task is not wanted any more, running or not.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct CancelTask {
    /// Which.
    #[prost(uint64, tag = "1")]
    pub task: u64,
}

/// A task is to run on another member: what a [`Decision`](crate::Decision) may propose.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct MoveTask {
    /// Which.
    #[prost(uint64, tag = "1")]
    pub task: u64,
    /// Where.
    #[prost(uint64, tag = "2")]
    pub to: u64,
}
