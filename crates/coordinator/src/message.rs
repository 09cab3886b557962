//! What members and the coordinator say to each other.
//!
//! A [`Request`] names its sender (member, epoch) and itself (`id`); the [`Response`] repeats the id.
//! Requests that change something are answered the same however often they arrive: the answers to a
//! member's latest requests are kept, in the log too. Everything here also has a form as JSON, because
//! the log keeps answers in it.

mod answer;
mod dataset;
mod limits;
mod request;
mod status;
mod task;

pub use answer::{
    Answer, Change, ChangeKind, Changes, Completed, DatasetCreated, Done, HeartbeatAnswer, Joined,
    Lease, LeaseAnswer, LeaseOutcome, Response, TaskAssignment, TaskSubmitted,
};
pub use dataset::DatasetSpec;
pub(crate) use limits::check as check_request;
pub use limits::{
    MAX_CAPABILITIES, MAX_DATASETS, MAX_LEASES, MAX_MEMBERS, MAX_NAME_BYTES, MAX_PAYLOAD_BYTES,
    MAX_POSITIONS, MAX_REQUEST_BYTES, MAX_TASKS, MAX_UNITS_PER_EPOCH,
};
pub use request::{
    ChangesSince, Complete, CreateDataset, DropMember, GiveBack, Heartbeat, Join, LeaseRequest,
    Leave, Measurements, Request, RequestKind, SurveyRequest, UnitPosition,
};
pub use status::{DatasetStatus, DecisionNote, MemberStatus, Survey, TaskState, TaskStatus};
pub use task::{CancelTask, EndTask, MoveTask, SubmitTask, TaskSpec};
