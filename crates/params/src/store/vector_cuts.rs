//! Cuts of a server that a Sandblaster coordinator leads: it starts with the newest it can read, and waits for nobody.

use std::sync::Arc;

use downpour_tensor::{Code, Result, Status};
use parking_lot::RwLockWriteGuard;
use tokio::time::Instant;

use super::Store;
use crate::recovery::CutFiles;
use crate::snapshot::Snapshot;
use crate::values::Values;

impl<V: Values> Store<V> {
    /// Keeps cuts there, and goes on from the newest one. Returns its number of updates, if there is one.
    pub fn go_on_from(&self, files: Arc<dyn CutFiles>, now: Instant) -> Result<Option<u64>> {
        self.set_cuts(files)?;
        for number in self.cut_numbers().into_iter().rev() {
            match self.read_cut(number) {
                Ok(snapshot) => {
                    let version = snapshot.version;
                    self.restore(snapshot, now)?;
                    return Ok(Some(version));
                }
                // It was removed.
                Err(status) if status.code() == Code::FailedPrecondition => {}
                Err(status) => return Err(status),
            }
        }
        Ok(None)
    }

    /// Held while all values are replaced.
    pub(crate) fn changing_alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.cut.write()
    }

    /// The numbers of the cuts on disk, in ascending order.
    pub(crate) fn cut_numbers(&self) -> Vec<u64> {
        self.cuts.get().map(|cuts| cuts.numbers()).unwrap_or_default()
    }

    /// Keeps a snapshot until it is written.
    pub(crate) fn hold_cut(&self, number: u64, snapshot: Snapshot) -> Result<()> {
        self.cuts()?;
        self.state.lock().recovery.taken = Some((number, snapshot));
        Ok(())
    }

    /// Writes the snapshot that is held; once it is written, the same again changes nothing.
    pub(crate) fn write_held_cut(&self, number: u64) -> Result<()> {
        match self.cut_numbers().contains(&number) {
            true => Ok(()),
            false => self.write_cut(number),
        }
    }

    /// Removes the cuts that are chosen.
    pub(crate) fn remove_cuts(&self, is_chosen: impl Fn(u64) -> bool) -> Result<()> {
        self.cuts()?.remove(is_chosen)
    }

    /// Reads a cut; FAILED_PRECONDITION if it is damaged, and then it is removed.
    pub(crate) fn read_cut(&self, number: u64) -> Result<Snapshot> {
        self.cuts()?.read(number).map_err(|status| match status.code() {
            Code::DataLoss => {
                Status::failed_precondition(format!("the cut {number} cannot be read: {status}"))
            }
            _ => status,
        })
    }

    /// The bookkeeping after values were taken from a cut.
    pub(crate) fn went_back(&self, to: &Snapshot, lost: u64) {
        let mut state = self.state.lock();
        let undone = state.version.saturating_sub(to.version);
        state.statistics.updates = state.statistics.updates.saturating_sub(undone);
        state.statistics.steps = to.steps;
        state.statistics.lost = to.lost + lost;
        state.version = to.version;
        drop(state);
        self.changed();
    }
}
