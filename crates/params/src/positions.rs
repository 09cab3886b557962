//! Which positions of leased data are in the values: what keeps the work of a dead worker from being applied twice.
//!
//! An extent begins before its update is made and ends with it; meanwhile whoever brings the same one is told to ask
//! again. Where updates are made of everybody's gradients, the extent waits for the rest of its step, and becomes
//! applied with it: a snapshot has it only then, as with the values.

use downpour_coordinator::{Extent, Ledger, Overlap};
use downpour_tensor::{Result, Status};

/// Data epochs before the newest whose positions are remembered, a few bytes each: no lease is as old as that.
const EPOCHS: u32 = 4096;
/// Pieces of ranges that are kept. In order there is one for each lease; this is for senders that are not.
const PIECES: usize = 1 << 20;

#[derive(Clone, Debug, Default)]
pub(crate) struct Positions {
    applied: Ledger,
    under_way: Vec<Extent>,
    /// In the sums of a step that is not complete.
    waiting: Vec<Extent>,
}

/// Whether the update of an extent is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    Yes,
    /// Its positions are in the values, or wait to be.
    Known,
    /// Somebody's update of them is being made.
    Busy,
}

impl Positions {
    pub fn begin(&mut self, extent: Extent) -> Result<Begin> {
        let Extent { start, end, .. } = extent;
        if start >= end {
            return Err(Status::invalid_argument(format!(
                "an update of the positions {start} to {end}: there are none"
            )));
        }
        if self.under_way.iter().any(|other| overlap(other, &extent)) {
            return Ok(Begin::Busy);
        }
        if self.waiting.contains(&extent) {
            return Ok(Begin::Known);
        }
        match self.applied.look(extent) {
            Overlap::Applied => return Ok(Begin::Known),
            Overlap::New => {}
            // Its examples count twice rather than never.
            Overlap::Partial => tracing::warn!(
                "the positions {start} to {end} of data epoch {} were applied in part: pushes of one dataset must be cut \
                 alike; are all workers given the same batch and push_every?",
                extent.data_epoch
            ),
        }
        if self.applied.pieces() > PIECES {
            return Err(Status::resource_exhausted(format!(
                "more than {PIECES} separate ranges of data were applied: leases must be completed"
            )));
        }
        self.under_way.push(extent);
        Ok(Begin::Yes)
    }

    /// The update waits for the rest of its step.
    pub fn wait(&mut self, extent: Extent) {
        self.take(extent);
        self.waiting.push(extent);
    }

    /// The update was made, or not.
    pub fn end(&mut self, extent: Extent, applied: bool) {
        if self.take(extent) && applied {
            self.apply(extent);
        }
    }

    /// What waited is in the values, or was given up.
    pub fn settle(&mut self, applied: bool) {
        for extent in std::mem::take(&mut self.waiting) {
            if applied {
                self.apply(extent);
            }
        }
    }

    /// What is in the values.
    pub fn applied(&self) -> &Ledger {
        &self.applied
    }

    /// How many examples are in the values.
    pub fn examples(&self) -> u64 {
        self.applied.extents().map(|extent| extent.end - extent.start).sum()
    }

    /// As a snapshot has it.
    pub fn restored(extents: Vec<Extent>) -> Positions {
        let mut positions = Positions::default();
        extents.into_iter().for_each(|extent| positions.applied.force(extent));
        positions
    }

    fn take(&mut self, extent: Extent) -> bool {
        let before = self.under_way.len();
        self.under_way.retain(|other| *other != extent);
        self.under_way.len() < before
    }

    fn apply(&mut self, extent: Extent) {
        self.applied.force(extent);
        self.applied.forget_before(extent.dataset, extent.data_epoch.saturating_sub(EPOCHS));
    }
}

fn overlap(a: &Extent, b: &Extent) -> bool {
    (a.dataset, a.data_epoch) == (b.dataset, b.data_epoch) && a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(start: u64, end: u64) -> Extent {
        Extent { dataset: 1, data_epoch: 0, start, end }
    }

    #[test]
    fn positions_are_applied_once() {
        let mut positions = Positions::default();
        assert_eq!(positions.begin(extent(0, 8)).unwrap(), Begin::Yes);
        // A worker that was given up wakes and brings the same.
        assert_eq!(positions.begin(extent(0, 8)).unwrap(), Begin::Busy);
        positions.end(extent(0, 8), true);
        assert_eq!(positions.begin(extent(0, 8)).unwrap(), Begin::Known);
        // What was dropped may come again.
        assert_eq!(positions.begin(extent(8, 16)).unwrap(), Begin::Yes);
        positions.end(extent(8, 16), false);
        assert_eq!(positions.begin(extent(8, 16)).unwrap(), Begin::Yes);
        positions.wait(extent(8, 16));
        positions.end(extent(8, 16), true);
        assert_eq!(positions.applied().applied(1, 0), 8);
        assert_eq!(positions.begin(extent(8, 16)).unwrap(), Begin::Known);
        positions.settle(true);
        assert_eq!(positions.applied().applied(1, 0), 16);
        assert!(positions.begin(extent(5, 5)).is_err());
        let restored = Positions::restored(positions.applied().extents().collect());
        assert_eq!(restored.applied(), positions.applied());
    }
}
