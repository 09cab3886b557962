//! What a store tells of itself.

/// What has happened so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Updates of the variables.
    pub updates: u64,
    /// Steps of workers in them.
    pub steps: u64,
    /// Pushes that came again and were not applied again.
    pub repeated: u64,
    /// Pushes of an old step, which were dropped.
    pub dropped: u64,
    /// Updates that were answered and then lost, with what came after the last snapshot of a server that has
    /// died; as far as the workers that were answered could say so. Comes back with a snapshot.
    pub lost: u64,
    /// Pushes of an incarnation that is over.
    pub refused: u64,
    /// Pushes whose positions were in the values already: the work of a worker that was given up, done again. Comes back
    /// with a snapshot.
    pub known: u64,
    /// Examples of leased data in the updates, each time they were applied.
    pub examples: u64,
    /// How many updates had a staleness of 0, 1, 2 ...; the last counts all that were larger.
    pub staleness: Vec<u64>,
}

/// A worker, as a server knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The worker's number.
    pub worker: u32,
    /// Its start.
    pub incarnation: u64,
    /// Its last update.
    pub sequence: u64,
    /// Steps it has handed in.
    pub clock: u64,
    /// Its updates that were used, of all its incarnations, those that were lost among them.
    pub used: u64,
    /// It has left, or was silent for too long.
    pub gone: bool,
}
