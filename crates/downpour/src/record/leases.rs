//! What tasks say of leased data.

use serde::{Deserialize, Serialize};

use super::Time;

/// What became of a worker's leases since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseCounts {
    /// Leases it got.
    pub taken: u64,
    /// Those among them that another had before.
    pub returned: u64,
    /// Those it has completed.
    pub completed: u64,
    /// Those that went to others.
    pub lost: u64,
    /// How often the coordinator has given it up.
    pub fenced: u64,
    /// Examples that every server has answered.
    pub examples: u64,
    /// Pushes that came too late for their step, and were made again.
    pub repeated: u64,
}

/// How leased data stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leased {
    /// When.
    pub time: Time,
    /// Who takes part.
    pub members: Vec<String>,
    /// Counts everybody who came or went.
    pub generation: u64,
    /// Data epochs that are complete.
    pub epochs_complete: u32,
    /// Examples done of the oldest that is not.
    pub done: u64,
    /// Examples of an epoch.
    pub examples: u64,
}

/// The coordinator wants another worker, one less, or another in the place of one. It only proposes: `downpour train`
/// carries it out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// When.
    pub time: Time,
    /// Start another worker.
    pub add: bool,
    /// Which is to end; empty if none is.
    pub worker: String,
    /// Why, in one sentence.
    pub why: String,
}
