//! What the coordinator answers.

use downpour_tensor::{Code, Result, Status};
use serde::{Deserialize, Serialize};

use super::status::Survey;

/// The answer to a [`Request`](super::Request): a status, and what was asked for if it is OK.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Response {
    /// That of the request.
    #[prost(uint64, tag = "1")]
    pub id: u64,
    /// TensorFlow's status code; 0 is OK.
    #[prost(int32, tag = "2")]
    pub code: i32,
    /// What went wrong.
    #[prost(string, tag = "3")]
    pub message: String,
    /// What was asked for.
    #[prost(oneof = "Answer", tags = "4, 5, 6, 7, 8, 9, 10, 11, 12")]
    pub answer: Option<Answer>,
}

impl Response {
    /// The answer, or why there is none.
    pub fn result(self) -> Result<Answer> {
        match (self.code, self.answer) {
            (0, Some(answer)) => Ok(answer),
            (0, None) => {
                Err(Status::internal("the coordinator answered OK and nothing: is it newer?"))
            }
            (code, _) => Err(Status::new(Code::from_i32(code), self.message)),
        }
    }

    pub(crate) fn new(id: u64, result: Result<Answer>) -> Response {
        match result {
            Ok(answer) => Response { id, code: 0, message: String::new(), answer: Some(answer) },
            Err(status) => Response {
                id,
                code: status.code() as i32,
                message: status.message().into(),
                answer: None,
            },
        }
    }
}

/// What there is to answer.
#[derive(Clone, PartialEq, prost::Oneof, Serialize, Deserialize)]
pub enum Answer {
    /// It is done, and there is nothing to say about it.
    #[prost(message, tag = "4")]
    Done(Done),
    /// To a join.
    #[prost(message, tag = "5")]
    Joined(Joined),
    /// To a heartbeat.
    #[prost(message, tag = "6")]
    Heartbeat(HeartbeatAnswer),
    /// To a request for work.
    #[prost(message, tag = "7")]
    Lease(LeaseAnswer),
    /// To a completion.
    #[prost(message, tag = "8")]
    Completed(Completed),
    /// Who came and went.
    #[prost(message, tag = "9")]
    Changes(Changes),
    /// To a new dataset.
    #[prost(message, tag = "10")]
    DatasetCreated(DatasetCreated),
    /// To a new task.
    #[prost(message, tag = "11")]
    TaskSubmitted(TaskSubmitted),
    /// How everything stands.
    #[prost(message, tag = "12")]
    Survey(Survey),
}

/// It is done.
#[derive(Clone, Copy, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Done {}

/// The sender takes part.
#[derive(Clone, Copy, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Joined {
    /// Its number, the same whenever this name joins. The `worker` of its update tags.
    #[prost(uint64, tag = "1")]
    pub member: u64,
    /// Its epoch: larger than any given before. The `incarnation` of its update tags.
    #[prost(uint64, tag = "2")]
    pub epoch: u64,
    /// It should be heard of this often.
    #[prost(uint64, tag = "3")]
    pub heartbeat_millis: u64,
    /// After this long without a word its epoch is over.
    #[prost(uint64, tag = "4")]
    pub silence_millis: u64,
}

/// What a member hears when it says that it lives.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct HeartbeatAnswer {
    /// Counts changes of membership: another than before means that somebody came or went.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
    /// Units among those it listed that it does not hold any more: drop them.
    #[prost(uint64, repeated, tag = "2")]
    pub lost: Vec<u64>,
    /// The revision of its tasks.
    #[prost(uint64, tag = "3")]
    pub tasks_revision: u64,
    /// All its tasks, if the revision is another than it said.
    #[prost(message, repeated, tag = "4")]
    pub tasks: Vec<TaskAssignment>,
}

/// A task a member is to run.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct TaskAssignment {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub task: u64,
    /// Counts the times it was assigned.
    #[prost(uint32, tag = "2")]
    pub attempt: u32,
    /// Its name.
    #[prost(string, tag = "3")]
    pub name: String,
    /// What it is.
    #[prost(string, tag = "4")]
    pub payload: String,
}

/// Whether there is work.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct LeaseAnswer {
    /// Work, waiting, or the end.
    #[prost(enumeration = "LeaseOutcome", tag = "1")]
    pub outcome: i32,
    /// The work.
    #[prost(message, optional, tag = "2")]
    pub lease: Option<Lease>,
    /// Ask again after this long.
    #[prost(uint64, tag = "3")]
    pub retry_millis: u64,
}

/// Whether there is work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum LeaseOutcome {
    /// Nothing now: others hold what is left, or the member holds as much as it may.
    Wait = 0,
    /// A unit.
    Granted = 1,
    /// Every epoch is complete.
    Finished = 2,
}

/// A unit of work that nobody else has (but a backup, if `backup`), until it runs out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message, Serialize, Deserialize)]
pub struct Lease {
    /// Of which dataset.
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
    /// Of which epoch of it, counted from 0.
    #[prost(uint32, tag = "2")]
    pub data_epoch: u32,
    /// Its number, never used again.
    #[prost(uint64, tag = "3")]
    pub unit: u64,
    /// Counts the times it was handed out, from 0.
    #[prost(uint32, tag = "4")]
    pub attempt: u32,
    /// Where it begins.
    #[prost(uint64, tag = "5")]
    pub start: u64,
    /// Where to go on: `start`, or as far as those who had it before came.
    #[prost(uint64, tag = "6")]
    pub position: u64,
    /// Where it ends (not included).
    #[prost(uint64, tag = "7")]
    pub end: u64,
    /// Another holds it too; the first to complete it wins.
    #[prost(bool, tag = "8")]
    pub backup: bool,
    /// It is over after this long without progress.
    #[prost(uint64, tag = "9")]
    pub lease_millis: u64,
}

/// Whether the unit's result counts.
#[derive(Clone, Copy, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Completed {
    /// False: the lease was over, or another was first. Do not use the result.
    #[prost(bool, tag = "1")]
    pub won: bool,
}

/// Who came and went.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Changes {
    /// The generation after them.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
    /// The asker's generation is too long ago: these are all who live, not the changes since.
    #[prost(bool, tag = "2")]
    pub everyone: bool,
    /// In their order.
    #[prost(message, repeated, tag = "3")]
    pub changes: Vec<Change>,
}

/// Somebody came or went.
#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Change {
    /// The generation it made.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
    /// Who.
    #[prost(uint64, tag = "2")]
    pub member: u64,
    /// The epoch that began or is over.
    #[prost(uint64, tag = "3")]
    pub epoch: u64,
    /// The name.
    #[prost(string, tag = "4")]
    pub name: String,
    /// What happened.
    #[prost(enumeration = "ChangeKind", tag = "5")]
    pub kind: i32,
}

/// How somebody came or went.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    prost::Enumeration,
    Serialize,
    Deserialize,
)]
#[repr(i32)]
pub enum ChangeKind {
    /// It takes part.
    Joined = 0,
    /// It said that it stops.
    Left = 1,
    /// It was silent too long.
    Silent = 2,
    /// Its name joined again.
    Replaced = 3,
    /// Somebody decided so.
    Dropped = 4,
}

/// There is this dataset now.
#[derive(Clone, Copy, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct DatasetCreated {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
}

/// There is this task now.
#[derive(Clone, Copy, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct TaskSubmitted {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub task: u64,
}
