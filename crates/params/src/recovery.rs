//! Recovery: when a server has died, all servers go back to one state.
//!
//! A server that comes back has what it last wrote to its disk, and the others have newer updates. A model put together from
//! both would be one that no training has ever had. So servers write *cuts*: snapshots at a moment at which all of them
//! have the same updates. When one has died, all of them go back to the newest cut that every disk has, and training
//! goes on from there. One server, the first, leads ([`lead`]); it does nothing else while another is away.
//!
//! Protocol of a cut, number n.
//!
//! 1. Hold. As for a move of variables (see [`crate::moving`]): servers take only pushes that another has taken already,
//!    and pushes that complete an open step, until all have the same updates.
//! 2. Take. Every server takes its snapshot; values are shared, not copied. Then the hold is over and training goes on.
//! 3. Write. Every server writes the snapshot to its disk.
//! 4. Settle. When all have written it, cuts before the previous one are removed.
//!
//! Numbers grow: n is one more than any number that a server knows. A cut that some server does not have is never gone
//! back to, whatever the reason.
//!
//! Protocol of going back. A server that starts *waits*: it answers everything with "not yet". The leader looks at all
//! servers several times a second. When one of them waits, or they have different recovery ids, it chooses the newest cut
//! that all disks have and tells every server to go back to it, with a new id: the recovery. A server removes later cuts,
//! takes the values and the bookkeeping of that cut, and from then on refuses requests of another recovery, so that nothing that
//! began before reaches some servers and not others. Workers join again, and begin only when all servers are of the same
//! recovery. If there is no common cut, servers have no values, and the chief gives them those of the last checkpoint.
//! An id is never used twice, even if all servers have died and nobody remembers the last one.
//!
//! A server that dies during a recovery waits when it comes back, and the leader begins again.

mod leader;
pub(crate) mod messages;

use downpour_tensor::Result;

use crate::snapshot::Snapshot;
pub(crate) use leader::look;
pub use leader::{Lead, lead};

/// Where a server keeps its cuts. Calls come from threads that may wait.
pub trait CutFiles: Send + Sync + 'static {
    /// Writes a cut; it survives a crash when this returns.
    fn write(&self, number: u64, snapshot: &Snapshot) -> Result<()>;

    /// Returns the numbers of all cuts that are there, in ascending order.
    fn list(&self) -> Result<Vec<u64>>;

    /// Reads a cut; DATA_LOSS if it is damaged.
    fn read(&self, number: u64) -> Result<Snapshot>;

    /// Removes a cut.
    fn remove(&self, number: u64) -> Result<()>;
}

/// The outcome of a recovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Servers that had come back, by name.
    pub restarted: Vec<String>,
    /// Updates in the state that all have now; `None` if they have no values.
    pub version: Option<u64>,
    /// Steps in it.
    pub steps: u64,
    /// Updates that servers which had not died had in addition; `None` if all had died, and nobody knows.
    pub lost: Option<u64>,
}
