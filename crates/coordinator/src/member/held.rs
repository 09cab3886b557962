//! A unit this member holds, and how far it is.

use crate::message::{Complete, GiveBack, Lease, UnitPosition};

/// A unit this member holds.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub lease: Lease,
    position: u64,
    reached: u64,
}

impl Held {
    pub fn new(lease: Lease) -> Held {
        Held { lease, position: lease.position, reached: lease.position }
    }

    pub fn progress(&mut self, position: u64) {
        self.position = self.position.max(position.min(self.lease.end));
        self.reach(position);
    }

    pub fn reach(&mut self, reached: u64) {
        self.reached = self.reached.max(reached.min(self.lease.end));
    }

    pub fn position(&self) -> UnitPosition {
        UnitPosition {
            dataset: self.lease.dataset,
            unit: self.lease.unit,
            attempt: self.lease.attempt,
            position: self.position,
            reached: self.reached,
        }
    }

    pub fn give_back(&self) -> GiveBack {
        GiveBack { position: Some(self.position()) }
    }
}

pub fn complete(lease: &Lease) -> Complete {
    Complete { dataset: lease.dataset, unit: lease.unit, attempt: lease.attempt }
}
