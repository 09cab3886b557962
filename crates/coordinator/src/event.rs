//! What the log says happened: the only way the state ever changes.
//!
//! An [`Entry`] is one record: everything some requests (or the passing of time) caused, and the answers to them. It is
//! stored whole or not at all, so the state is never between two of them. Events say what was decided, not why:
//! replaying them needs no clock and no measured speeds.

use serde::{Deserialize, Serialize};

use crate::message::{ChangeKind, DatasetSpec, Response, TaskSpec};

/// One record of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// What happened, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// What members were told, to be told again if they repeat their requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<Answered>,
}

/// An answer to a member's request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub member: u64,
    pub epoch: u64,
    pub response: Response,
}

/// Something happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Event {
    /// A name takes part; its epoch is the generation this makes.
    Joined {
        member: u64,
        name: String,
        process: u64,
        request: u64,
        capacity: u64,
        priority: i32,
        capabilities: Vec<String>,
    },
    /// An epoch is over; what the member held is free again.
    Gone {
        member: u64,
        why: ChangeKind,
    },
    /// A member that was gone is forgotten.
    Forgotten {
        member: u64,
    },
    DatasetCreated {
        dataset: u64,
        spec: DatasetSpec,
    },
    /// The next epoch of a dataset begins.
    EpochBegun {
        dataset: u64,
    },
    /// A range that was free becomes a unit, which a member holds.
    Cut {
        dataset: u64,
        data_epoch: u32,
        unit: u64,
        start: u64,
        end: u64,
        member: u64,
    },
    /// A unit that exists is handed out: one that came back, or as a backup.
    Leased {
        dataset: u64,
        unit: u64,
        member: u64,
    },
    Progressed {
        dataset: u64,
        unit: u64,
        position: u64,
    },
    Completed {
        dataset: u64,
        unit: u64,
        member: u64,
    },
    /// A member does not hold the unit any more.
    Returned {
        dataset: u64,
        unit: u64,
        member: u64,
    },
    TaskSubmitted {
        task: u64,
        spec: TaskSpec,
    },
    TaskAssigned {
        task: u64,
        member: u64,
    },
    /// A task leaves its member and waits again.
    TaskQueued {
        task: u64,
    },
    TaskEnded {
        task: u64,
        code: i32,
        message: String,
    },
}
