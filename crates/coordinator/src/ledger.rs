//! What a parameter server has applied, by the positions it was made of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ranges::Ranges;

/// The positions an update was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extent {
    /// Of which dataset.
    pub dataset: u64,
    /// Of which epoch of it.
    pub data_epoch: u32,
    /// The first position.
    pub start: u64,
    /// The one after the last.
    pub end: u64,
}

/// How an extent meets what was applied before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Nothing of it was: apply the update.
    New,
    /// All of it was: answer as if it had been applied now.
    Applied,
    /// A part of it was: the pushes were cut differently. Applying it uses some examples twice, refusing it loses
    /// some; the server decides, and counts it.
    Partial,
}

/// What has been applied. Where everything is in order it is a few numbers for each data epoch, because ranges that
/// touch are one. It is saved with the parameters it describes.
///
/// ```
/// use downpour_coordinator::{Extent, Ledger, Overlap};
///
/// let mut ledger = Ledger::default();
/// let push = Extent { dataset: 1, data_epoch: 0, start: 0, end: 32 };
/// assert_eq!(ledger.enter(push), Overlap::New);
/// assert_eq!(ledger.enter(push), Overlap::Applied);
/// assert_eq!(ledger.enter(Extent { end: 64, ..push }), Overlap::Partial);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// By dataset and data epoch.
    applied: BTreeMap<u64, BTreeMap<u32, Ranges>>,
}

impl Ledger {
    /// How an extent meets what was applied; nothing changes.
    pub fn look(&self, extent: Extent) -> Overlap {
        let Extent { dataset, data_epoch, start, end } = extent;
        match self.applied.get(&dataset).and_then(|epochs| epochs.get(&data_epoch)) {
            Some(applied) if applied.covers(start, end) => Overlap::Applied,
            Some(applied) if applied.touches(start, end) => Overlap::Partial,
            _ => Overlap::New,
        }
    }

    /// Whether an update may be applied. It counts as applied from now on, if it is `New`.
    pub fn enter(&mut self, extent: Extent) -> Overlap {
        let overlap = self.look(extent);
        if overlap == Overlap::New {
            self.force(extent);
        }
        overlap
    }

    /// Counts an update as applied, whatever was before.
    pub fn force(&mut self, extent: Extent) {
        let Extent { dataset, data_epoch, start, end } = extent;
        self.applied.entry(dataset).or_default().entry(data_epoch).or_default().insert(start, end);
    }

    /// Forgets data epochs of a dataset before this one: they are complete, and nobody holds units of them.
    pub fn forget_before(&mut self, dataset: u64, data_epoch: u32) {
        if let Some(epochs) = self.applied.get_mut(&dataset) {
            *epochs = epochs.split_off(&data_epoch);
        }
    }

    /// Examples that were applied of a data epoch.
    pub fn applied(&self, dataset: u64, data_epoch: u32) -> u64 {
        self.applied
            .get(&dataset)
            .and_then(|epochs| epochs.get(&data_epoch))
            .map_or(0, Ranges::positions)
    }

    /// Everything that was applied, in as few extents as it takes; [`force`](Ledger::force) of each makes the same
    /// ledger again.
    pub fn extents(&self) -> impl Iterator<Item = Extent> + '_ {
        self.applied.iter().flat_map(|(&dataset, epochs)| {
            epochs.iter().flat_map(move |(&data_epoch, ranges)| {
                let extent = move |(start, end)| Extent { dataset, data_epoch, start, end };
                ranges.iter().map(extent)
            })
        })
    }

    /// Ranges that are kept: grows with work that is under way, not with work that is done.
    pub fn pieces(&self) -> usize {
        self.applied.values().flat_map(BTreeMap::values).map(Ranges::pieces).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(data_epoch: u32, start: u64, end: u64) -> Extent {
        Extent { dataset: 1, data_epoch, start, end }
    }

    #[test]
    fn the_work_of_a_dead_worker_is_not_applied_twice() {
        let mut ledger = Ledger::default();
        // A worker pushes three batches and dies having reported one.
        for start in [0, 32, 64] {
            assert_eq!(ledger.enter(extent(0, start, start + 32)), Overlap::New);
        }
        // The next begins at the reported position.
        assert_eq!(ledger.enter(extent(0, 32, 64)), Overlap::Applied);
        assert_eq!(ledger.enter(extent(0, 64, 96)), Overlap::Applied);
        assert_eq!(ledger.enter(extent(0, 96, 128)), Overlap::New);
        assert_eq!(ledger.applied(1, 0), 128);
        assert_eq!(ledger.pieces(), 1);
        // The next epoch is other work.
        assert_eq!(ledger.enter(extent(1, 0, 32)), Overlap::New);
        ledger.forget_before(1, 1);
        assert_eq!((ledger.applied(1, 0), ledger.applied(1, 1)), (0, 32));
    }

    #[test]
    fn it_is_saved_and_read() {
        let mut ledger = Ledger::default();
        ledger.enter(extent(0, 10, 20));
        ledger.force(extent(2, 15, 30));
        let text = serde_json::to_string(&ledger).unwrap();
        assert_eq!(serde_json::from_str::<Ledger>(&text).unwrap(), ledger);
        let mut again = Ledger::default();
        ledger.extents().for_each(|extent| again.force(extent));
        assert_eq!(again, ledger);
    }
}
