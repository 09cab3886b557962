//! What is asked of the coordinator.

use downpour_tensor::{Result, Status};
use prost::Message;
use serde::{Deserialize, Serialize};

use super::dataset::DatasetSpec;
use super::limits::MAX_REQUEST_BYTES;
use super::task::{CancelTask, EndTask, MoveTask, SubmitTask};

/// One request. What a member asks carries its number and epoch; what an administrator asks has both 0.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    /// Counts up within a member's epoch; a repeated request keeps its id and gets the same answer.
    #[prost(uint64, tag = "1")]
    pub id: u64,
    /// From [`Joined`](super::Joined); 0 before and for administration.
    #[prost(uint64, tag = "2")]
    pub member: u64,
    /// From [`Joined`](super::Joined); a request of an epoch that is over answers ABORTED.
    #[prost(uint64, tag = "3")]
    pub epoch: u64,
    /// What is asked.
    #[prost(oneof = "RequestKind", tags = "4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17")]
    pub kind: Option<RequestKind>,
}

impl Request {
    /// A request of nobody in particular.
    pub fn new(id: u64, kind: RequestKind) -> Request {
        Request { id, member: 0, epoch: 0, kind: Some(kind) }
    }

    /// A member's request.
    pub fn of_member(id: u64, member: u64, epoch: u64, kind: RequestKind) -> Request {
        Request { id, member, epoch, kind: Some(kind) }
    }

    /// Reads a request from bytes of anybody; INVALID_ARGUMENT if it is too long or none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Request> {
        if bytes.len() > MAX_REQUEST_BYTES {
            return Err(Status::invalid_argument(format!(
                "a request of {} bytes: at most {MAX_REQUEST_BYTES} are read",
                bytes.len()
            )));
        }
        Request::decode(bytes).map_err(|error| {
            Status::invalid_argument(format!("not a coordinator's request: {error}"))
        })
    }
}

/// What may be asked.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum RequestKind {
    /// Take part. Answered by [`Joined`](super::Joined).
    #[prost(message, tag = "4")]
    Join(Join),
    /// I live, and this far I am. Answered by [`HeartbeatAnswer`](super::HeartbeatAnswer).
    #[prost(message, tag = "5")]
    Heartbeat(Heartbeat),
    /// Give me work. Answered by [`LeaseAnswer`](super::LeaseAnswer).
    #[prost(message, tag = "6")]
    Lease(LeaseRequest),
    /// A unit is done. Answered by [`Completed`](super::Completed).
    #[prost(message, tag = "7")]
    Complete(Complete),
    /// A unit is not going to be done by me. Answered by [`Done`](super::Done).
    #[prost(message, tag = "8")]
    GiveBack(GiveBack),
    /// I stop. Answered by [`Done`](super::Done).
    #[prost(message, tag = "9")]
    Leave(Leave),
    /// Who came and went. Answered by [`Changes`](super::Changes).
    #[prost(message, tag = "10")]
    ChangesSince(ChangesSince),
    /// There is data. Answered by [`DatasetCreated`](super::DatasetCreated).
    #[prost(message, tag = "11")]
    CreateDataset(CreateDataset),
    /// There is a task. Answered by [`TaskSubmitted`](super::TaskSubmitted).
    #[prost(message, tag = "12")]
    SubmitTask(SubmitTask),
    /// A task I had has ended. Answered by [`Done`](super::Done).
    #[prost(message, tag = "13")]
    EndTask(EndTask),
    /// A task is not wanted any more. Answered by [`Done`](super::Done).
    #[prost(message, tag = "14")]
    CancelTask(CancelTask),
    /// A task is to run on another member. Answered by [`Done`](super::Done).
    #[prost(message, tag = "15")]
    MoveTask(MoveTask),
    /// A member's epoch is to end. Answered by [`Done`](super::Done).
    #[prost(message, tag = "16")]
    DropMember(DropMember),
    /// How does everything stand. Answered by [`Survey`](super::Survey).
    #[prost(message, tag = "17")]
    Survey(SurveyRequest),
}

/// Take part under a name.
///
/// The request's `id` counts the joins of this process: the same id again is the same join, a larger one a new
/// incarnation (after ABORTED). A join ends the epoch of whoever had the name, unless that is another process which is
/// connected: then the answer is UNAVAILABLE until its connections have ended, or it is silent for too long.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Join {
    /// Unique in the cluster, and the same after a restart: "worker/3".
    #[prost(string, tag = "1")]
    pub name: String,
    /// A random number of the process. A process that another has replaced cannot take the name back while that
    /// one lives.
    #[prost(fixed64, tag = "2")]
    pub process: u64,
    /// How much of tasks' capacity fits (slots, cores, gigabytes: one measure for the whole cluster).
    #[prost(uint64, tag = "3")]
    pub capacity: u64,
    /// Tasks go to members of higher priority first.
    #[prost(sint32, tag = "4")]
    pub priority: i32,
    /// What it can do ("worker", "gpu"); tasks ask for some.
    #[prost(string, repeated, tag = "5")]
    pub capabilities: Vec<String>,
}

/// I live, and this far I am. Needs no id of its own: a repeated or late one changes nothing.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Heartbeat {
    /// What the member has measured of itself.
    #[prost(message, optional, tag = "1")]
    pub measurements: Option<Measurements>,
    /// Every lease the member believes to hold. If any of them moved on since the last time, all of them are
    /// renewed; one that is not listed runs out.
    #[prost(message, repeated, tag = "2")]
    pub positions: Vec<UnitPosition>,
    /// The revision of its tasks the member knows: they are only repeated when it is another.
    #[prost(uint64, tag = "3")]
    pub tasks_revision: u64,
}

/// What a member measures of itself, smoothed over some seconds. All 0 says nothing.
#[derive(Clone, Copy, PartialEq, prost::Message, Serialize, Deserialize)]
pub struct Measurements {
    /// Examples per second; used for members without leases. Of others the coordinator measures it itself.
    #[prost(double, tag = "1")]
    pub examples_per_second: f64,
    /// Share of its time (0 to 1) it waits for parameters, peers or leases.
    #[prost(double, tag = "2")]
    pub waiting_share: f64,
    /// How many updates of others happen between its reads and its writes.
    #[prost(double, tag = "3")]
    pub staleness: f64,
}

/// How far a unit is.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct UnitPosition {
    /// Which dataset.
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
    /// Which unit.
    #[prost(uint64, tag = "2")]
    pub unit: u64,
    /// Which attempt at it, from the lease.
    #[prost(uint32, tag = "3")]
    pub attempt: u32,
    /// Every example before it is applied for good: whoever goes on starts here.
    #[prost(uint64, tag = "4")]
    pub position: u64,
    /// Work has come this far, though it may be lost with the member (0: as far as `position`). Shows that it
    /// moves, and how quickly.
    #[prost(uint64, tag = "5")]
    pub reached: u64,
}

/// Give me work.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct LeaseRequest {
    /// Of which dataset.
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
    /// When nothing else is left, also a unit that another has and is slower at. The first to complete it wins.
    #[prost(bool, tag = "2")]
    pub backup: bool,
}

/// A unit is done: every example of it is applied, or its result stands ready to be counted if the answer says so.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Complete {
    /// Which dataset.
    #[prost(uint64, tag = "1")]
    pub dataset: u64,
    /// Which unit.
    #[prost(uint64, tag = "2")]
    pub unit: u64,
    /// Which attempt at it, from the lease.
    #[prost(uint32, tag = "3")]
    pub attempt: u32,
}

/// A unit is not going to be done by me: the rest goes to another.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct GiveBack {
    /// How far it is.
    #[prost(message, optional, tag = "1")]
    pub position: Option<UnitPosition>,
}

/// I stop; leases and tasks go to others at once.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct Leave {}

/// Who came and went.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct ChangesSince {
    /// The generation the asker knows; 0: nothing.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
}

/// There is data. The same again is answered the same; another of the same name is refused.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CreateDataset {
    /// Which.
    #[prost(message, optional, tag = "1")]
    pub spec: Option<DatasetSpec>,
}

/// A member's epoch is to end; it may join again.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct DropMember {
    /// Which.
    #[prost(uint64, tag = "1")]
    pub member: u64,
    /// Of which epoch: a member that has joined again meanwhile is not meant.
    #[prost(uint64, tag = "2")]
    pub epoch: u64,
}

/// How does everything stand.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct SurveyRequest {}
