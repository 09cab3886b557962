//! A server's side of cuts and recoveries (see [`crate::recovery`]).
//!
//! Protocol. `files` is locked before `cut`, and held while a cut is written or removed: when a server goes back, what
//! was being written is written, and then removed, before anything new is taken. A snapshot that was taken is written
//! only while it is the last that was taken, and going back forgets it.

use std::collections::BTreeSet;
use std::sync::Arc;

use downpour_tensor::{Code, Result, Status};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::{State, Store};
use crate::recovery::CutFiles;
use crate::recovery::messages::{GoBack, Reply, Request, Step, Take};
use crate::snapshot::Snapshot;
use crate::sums::Sums;
use crate::values::Values;

/// The furthest that a cut's number may be beyond those this server knows: numbers would run out if anyone could give the
/// last. Servers whose disk was replaced know none, and the others may have made a cut a second for a hundred years.
const FURTHEST_CUT: u64 = 1 << 32;

/// A server's cuts on disk.
pub(super) struct Cuts {
    files: Mutex<Arc<dyn CutFiles>>,
    /// What is there, so that looking does not wait for the disk.
    list: Mutex<Vec<u64>>,
    /// Why the last one could not be written.
    failed: Mutex<Option<Status>>,
}

impl Cuts {
    /// What is there, in ascending order.
    pub fn numbers(&self) -> Vec<u64> {
        self.list.lock().clone()
    }

    /// Reads a cut; one that is damaged is removed.
    pub fn read(&self, number: u64) -> Result<Snapshot> {
        let files = self.files.lock();
        let read = files.read(number);
        if let Err(status) = &read
            && status.code() == Code::DataLoss
        {
            tracing::error!("{status}; it is removed, and an older cut will be used");
            files.remove(number)?;
            self.relist(&**files)?;
        }
        read
    }

    /// Removes the cuts that are chosen.
    pub fn remove(&self, is_chosen: impl Fn(u64) -> bool) -> Result<()> {
        let files = self.files.lock();
        for number in files.list()?.into_iter().filter(|number| is_chosen(*number)) {
            files.remove(number)?;
        }
        self.relist(&**files)
    }

    fn relist(&self, files: &dyn CutFiles) -> Result<()> {
        *self.list.lock() = files.list()?;
        Ok(())
    }

    /// Writes what `make` returns.
    pub fn write(&self, number: u64, make: &dyn Fn() -> Result<Option<Snapshot>>) -> Result<()> {
        let files = self.files.lock();
        let Some(snapshot) = make()? else {
            return Err(Status::aborted(format!("cut {number} was given up")));
        };
        let written = files.write(number, &snapshot);
        *self.failed.lock() = written.as_ref().err().cloned();
        written?;
        self.relist(&**files)
    }
}

/// The recovery state of this server.
#[derive(Default)]
pub(super) struct Recovery {
    /// This server has started, and answers when it was told what to go back to.
    pub waits: bool,
    /// The last recovery; 0 where there are none.
    pub id: u64,
    /// The largest number of a cut that was heard of.
    pub newest: u64,
    /// Taken, and not yet written.
    pub taken: Option<(u64, Snapshot)>,
}

impl State {
    /// Returns an error if a request belongs to another recovery. Those that name none are of any.
    pub(super) fn of_recovery(&self, recovery: u64) -> Result<()> {
        if recovery == 0 || recovery == self.recovery.id {
            return Ok(());
        }
        Err(Status::aborted(format!(
            "the parameter servers have gone back to update {}: join again",
            self.version
        )))
    }
}

impl<V: Values> Store<V> {
    /// Keeps cuts there. This server waits until it is told which of them to go back to.
    pub fn recover_with(&self, files: Arc<dyn CutFiles>) -> Result<()> {
        let newest = self.set_cuts(files)?;
        let mut state = self.state.lock();
        state.recovery.waits = true;
        state.recovery.newest = newest;
        Ok(())
    }

    /// Keeps cuts there. Returns the newest number.
    pub(super) fn set_cuts(&self, files: Arc<dyn CutFiles>) -> Result<u64> {
        let list = files.list()?;
        let newest = list.last().copied().unwrap_or(0);
        let cuts =
            Cuts { files: Mutex::new(files), list: Mutex::new(list), failed: Mutex::default() };
        drop(self.cuts.set(cuts));
        Ok(newest)
    }

    /// Whether this server waits for a recovery.
    pub(crate) fn waits_for_recovery(&self) -> bool {
        self.state.lock().recovery.waits
    }

    pub(crate) fn recovery(&self) -> u64 {
        self.state.lock().recovery.id
    }

    /// Returns why the last cut could not be written, if so.
    pub fn cut_error(&self) -> Option<Status> {
        self.cuts.get().and_then(|cuts| cuts.failed.lock().clone())
    }

    pub(super) fn cuts(&self) -> Result<&Cuts> {
        self.cuts.get().ok_or_else(|| {
            Status::failed_precondition(
                "this server keeps no cuts: it was started without a folder for them",
            )
        })
    }

    /// Refuses a cut's number that nobody who leads gives.
    pub(crate) fn check_cut_number(&self, number: u64) -> Result<()> {
        let there = self.cuts.get().and_then(|cuts| cuts.list.lock().last().copied());
        let newest = self.state.lock().recovery.newest.max(there.unwrap_or(0));
        if number <= newest.saturating_add(FURTHEST_CUT) {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "a cut numbered {number}, and the newest that this server knows is {newest}: cuts are numbered one after the other"
        )))
    }

    fn recovery_reply(&self, lost: u64) -> Reply {
        let cuts = self.cuts.get().map(|cuts| cuts.list.lock().clone()).unwrap_or_default();
        let state = self.state.lock();
        Reply {
            waits: state.recovery.waits,
            recovery: state.recovery.id,
            newest: state.recovery.newest,
            cuts,
            ready: state.ready,
            version: state.version,
            steps: state.statistics.steps,
            lost,
        }
    }

    /// Takes a snapshot while the server is held. A number that is on the disk is of another cut, which must stay what it is.
    fn take_cut(&self, take: Take) -> Result<()> {
        self.check_cut_number(take.number)?;
        if self.cuts()?.numbers().contains(&take.number) {
            return Err(Status::aborted(format!("there is another cut {}", take.number)));
        }
        let held = |state: &State| {
            let hold = state.moving.hold.as_ref();
            hold.is_some_and(|hold| hold.id == take.id && hold.number == take.hold)
                && !state.is_open()
        };
        let let_go = || Status::aborted(format!("this server has let go of cut {}", take.number));
        if !held(&self.state.lock()) {
            return Err(let_go());
        }
        let snapshot = self.snapshot()?;
        let mut state = self.state.lock();
        let snapshot = snapshot.filter(|_| held(&state)).ok_or_else(let_go)?;
        state.recovery.newest = state.recovery.newest.max(take.number);
        state.recovery.taken = Some((take.number, snapshot));
        Ok(())
    }

    pub(super) fn write_cut(&self, number: u64) -> Result<()> {
        let taken = || {
            let taken = &self.state.lock().recovery.taken;
            Ok(taken.as_ref().filter(|(own, _)| *own == number).map(|(_, taken)| taken.clone()))
        };
        let written = self.cuts()?.write(number, &taken);
        // Whether or not it could be written: it keeps values alive that have changed since.
        self.state.lock().recovery.taken.take_if(|(own, _)| *own == number);
        written
    }

    /// Every server has this cut: those before the one before it are of no use.
    fn settle_cut(&self, number: u64) -> Result<()> {
        let cuts = self.cuts()?;
        let files = cuts.files.lock();
        let before: Vec<u64> = files.list()?.into_iter().filter(|own| *own < number).collect();
        for old in before.iter().rev().skip(1) {
            files.remove(*old)?;
        }
        cuts.relist(&**files)
    }

    /// Takes the values and the books of a cut, or has none; how many updates were there in addition.
    fn go_back(&self, to: GoBack, now: Instant) -> Result<u64> {
        let cuts = self.cuts()?;
        let files = cuts.files.lock();
        // It was asked before: cuts that were made since are good.
        if to.recovery == self.recovery() {
            return Ok(0);
        }
        let snapshot = match to.number {
            0 => None,
            number => match files.read(number) {
                Ok(snapshot) => Some(snapshot),
                Err(status) => {
                    if status.code() == Code::DataLoss {
                        tracing::error!("{status}; it is removed, and an older cut will be used");
                        files.remove(number)?;
                        cuts.relist(&**files)?;
                    }
                    // Not UNAVAILABLE: the leader must know that it was reached, and try an older one in the end.
                    return Err(Status::failed_precondition(format!(
                        "the cut {number} cannot be read: {status}"
                    )));
                }
            },
        };
        for later in files.list()?.into_iter().filter(|own| *own > to.number) {
            files.remove(later)?;
        }
        cuts.relist(&**files)?;
        let lost = self.replace_with(snapshot, to.recovery, now)?;
        drop(files);
        self.changed();
        Ok(lost)
    }

    fn replace_with(&self, snapshot: Option<Snapshot>, recovery: u64, now: Instant) -> Result<u64> {
        let _cut = self.cut.write();
        let _alone = self.switching.write();
        let mut sums = self.sums.lock();
        let mut state = self.state.lock();
        let version = snapshot.as_ref().map_or(0, |snapshot| snapshot.version);
        let lost = if state.ready { state.version.saturating_sub(version) } else { 0 };
        *sums = Sums::default();
        let examples = state.positions.examples();
        let statistics = std::mem::take(&mut state.statistics);
        let (newest, holds) = (state.recovery.newest, state.moving.holds());
        *state = State::default();
        state.statistics = statistics;
        state.statistics.updates = state.statistics.updates.saturating_sub(lost);
        // Workers report lost updates when they join.
        state.statistics.lost = 0;
        // Until this has succeeded.
        (state.recovery.waits, state.recovery.newest) = (true, newest);
        state.moving.go_on_counting(holds);
        let kept: BTreeSet<&String> =
            snapshot.iter().flat_map(|snapshot| &snapshot.values).map(|(name, _)| name).collect();
        for name in self.values.names().iter().filter(|name| !kept.contains(name)) {
            self.values.remove(name)?;
        }
        if let Some(mut snapshot) = snapshot {
            self.values.define(&snapshot.definition.program)?;
            for (name, value) in std::mem::take(&mut snapshot.values) {
                self.values.set(&name, value)?;
            }
            state.definition = Some(snapshot.definition.clone());
            state.placed = snapshot.placed.clone();
            state.restore(snapshot, now);
        }
        let examples = examples.saturating_sub(state.positions.examples());
        let counted = &mut state.statistics.examples;
        *counted = counted.saturating_sub(examples);
        state.recovery.waits = false;
        state.recovery.id = recovery;
        Ok(lost)
    }
}

/// Answers the leader.
pub(crate) fn answer<V: Values>(store: &Store<V>, request: Request, now: Instant) -> Result<Reply> {
    let mut lost = 0;
    match request.step {
        Some(Step::Look(_)) => {}
        Some(Step::Take(take)) => store.take_cut(take)?,
        Some(Step::Write(write)) => store.write_cut(write.number)?,
        Some(Step::Settle(settle)) => store.settle_cut(settle.number)?,
        Some(Step::GoBack(to)) => lost = store.go_back(to, now)?,
        None => {
            return Err(Status::unimplemented("this server does not know that step of a recovery"));
        }
    }
    Ok(store.recovery_reply(lost))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::mode::Mode;
    use crate::moving::messages::Hold;
    use crate::plain::PlainValues;
    use crate::recovery::messages::Write;
    use crate::store::holding::tests::ready_store;

    #[derive(Default)]
    struct Memory(Mutex<BTreeMap<u64, Snapshot>>);

    impl CutFiles for Memory {
        fn write(&self, number: u64, snapshot: &Snapshot) -> Result<()> {
            self.0.lock().insert(number, snapshot.clone());
            Ok(())
        }
        fn list(&self) -> Result<Vec<u64>> {
            Ok(self.0.lock().keys().copied().collect())
        }
        fn read(&self, number: u64) -> Result<Snapshot> {
            let found = self.0.lock().get(&number).cloned();
            found.ok_or_else(|| Status::not_found(format!("there is no cut {number}")))
        }
        fn remove(&self, number: u64) -> Result<()> {
            self.0.lock().remove(&number);
            Ok(())
        }
    }

    const ID: u64 = 7;

    /// A server that keeps cuts and has values.
    fn with_cuts() -> Store<PlainValues> {
        let store = ready_store(Mode::AtOnce);
        store.set_cuts(Arc::new(Memory::default())).unwrap();
        store
    }

    fn take(store: &Store<PlainValues>, number: u64) -> Result<Reply> {
        let now = Instant::now();
        let hold = Hold { begin: !store.is_held(), milliseconds: 1000, last: Vec::new() };
        let hold = store.hold(ID, &hold, now).unwrap().hold;
        let take = Step::Take(Take { number, id: ID, hold });
        answer(store, Request { step: Some(take) }, now)
    }

    fn write(store: &Store<PlainValues>, number: u64) -> Result<Reply> {
        let write = Step::Write(Write { number });
        answer(store, Request { step: Some(write) }, Instant::now())
    }

    #[tokio::test]
    async fn nobody_can_use_up_the_numbers_of_cuts() {
        let store = with_cuts();
        let refused = take(&store, u64::MAX).unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
        assert!(take(&store, FURTHEST_CUT + 1).is_err());
        assert!(store.check_cut_number(FURTHEST_CUT + 1).is_err());
        // A server whose disk was replaced gets the number that all others have.
        assert_eq!(take(&store, 10_000_000).unwrap().newest, 10_000_000);
        assert_eq!(write(&store, 10_000_000).unwrap().cuts, [10_000_000]);
        // What is on the disk is not written over.
        assert_eq!(take(&store, 10_000_000).unwrap_err().code(), Code::Aborted);
        assert!(take(&store, 10_000_001).is_ok());
    }

    #[tokio::test]
    async fn a_recovery_that_is_asked_for_again_leaves_later_cuts() {
        let store = with_cuts();
        let cut = |number: u64| take(&store, number).and_then(|_| write(&store, number)).unwrap();
        let back = |number: u64, recovery: u64| {
            let step = Some(Step::GoBack(GoBack { number, recovery }));
            answer(&store, Request { step }, Instant::now()).unwrap()
        };
        cut(1);
        cut(2);
        assert_eq!(back(1, 5).cuts, [1]);
        cut(3);
        assert_eq!(back(1, 5).cuts, [1, 3]);
        assert_eq!(back(1, 6).cuts, [1]);
    }
}
