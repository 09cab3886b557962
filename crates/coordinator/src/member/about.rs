//! Who a member is, and what its owner gets to know.

use std::time::Duration;

use downpour_tensor::Status;

use crate::message::{Join, Joined, Lease, TaskAssignment};

/// Who a member is and how it behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberConfig {
    /// Name, process, capacity, priority, capabilities. The process's number is random, drawn by the owner.
    pub join: Join,
    /// So many leases are fetched before they are needed.
    pub prefetch: usize,
    /// Also take units others are slow at, when nothing else is left.
    pub backups: bool,
    /// An unanswered request is repeated after so long, and less and less often.
    pub timeout: Duration,
}

impl MemberConfig {
    /// A member with one lease ahead and no room for tasks.
    pub fn new(name: impl Into<String>, process: u64) -> MemberConfig {
        MemberConfig {
            join: Join { name: name.into(), process, ..Join::default() },
            prefetch: 1,
            backups: false,
            timeout: Duration::from_millis(500),
        }
    }
}

/// Something the owner should know.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberEvent {
    /// It takes part. Update tags are (member, epoch, a sequence that starts at 1).
    Joined(Joined),
    /// Its epoch is over: drop every unit, push nothing of them. It joins again by itself.
    Fenced,
    /// Another process has its name and lives: this one should end. Nothing more is sent.
    Replaced(Status),
    /// It has left, as asked.
    Left,
    /// A unit is another's now: drop it.
    Lost(Lease),
    /// A unit that was reported complete. If not `won` its result must not be used.
    Completed {
        /// The unit.
        lease: Lease,
        /// Whether it counts.
        won: bool,
    },
    /// Every epoch of the dataset is complete.
    Finished,
    /// Somebody came or went.
    Generation(u64),
    /// All tasks this member should run now; those that are not among them should end.
    Tasks(Vec<TaskAssignment>),
    /// A request was refused; it is not repeated.
    Refused(Status),
}
