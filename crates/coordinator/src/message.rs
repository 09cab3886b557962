//! What members and the coordinator say to each other.
//!
//! A [`Request`] names its sender (member, epoch) and itself (`id`); the [`Response`] repeats the id.
//! Requests that change something are answered the same however often they arrive: the answers to a
//! member's latest requests are kept, in the log too. Everything here also has a form as JSON, because
//! the log keeps answers in it.

mod answer;
mod limits;
mod request;

pub use answer::{
    Answer, Change, ChangeKind, Changes, Completed, DatasetCreated, DatasetStatus, DecisionNote,
    Done, HeartbeatAnswer, Joined, Lease, LeaseAnswer, LeaseOutcome, MemberStatus, Response,
    Survey, TaskAssignment, TaskState, TaskStatus, TaskSubmitted,
};
pub(crate) use limits::check as check_request;
pub use limits::{
    MAX_CAPABILITIES, MAX_DATASETS, MAX_LEASES, MAX_MEMBERS, MAX_NAME_BYTES, MAX_PAYLOAD_BYTES,
    MAX_POSITIONS, MAX_REQUEST_BYTES, MAX_TASKS, MAX_UNITS_PER_EPOCH,
};
pub use request::{
    CancelTask, ChangesSince, Complete, CreateDataset, DatasetSpec, DropMember, EndTask, GiveBack,
    Heartbeat, Join, LeaseRequest, Leave, Measurements, MoveTask, Request, RequestKind, SubmitTask,
    SurveyRequest, TaskSpec, UnitPosition,
};
