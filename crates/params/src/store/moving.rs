//! A server's side of a move (see [`crate::moving`]).
//!
//! Protocol. `moving` is in the books, under the lock of `state`. A keeper's own lock comes before `cut`: a snapshot is
//! made and written under it, so that none overwrites a newer one. Values change hands in `switch` alone, under `cut` and
//! `switching`, which whoever reads values holds for reading: a pull sees all of one layout or is refused.

use std::collections::BTreeSet;

use downpour_tensor::{Result, Status, Tensor};
use tokio::time::Instant;

use super::holding::{Held, Ready};
use super::{State, Store};
use crate::gradient::Named;
use crate::moving::messages::{self, LoadOf, Prepare, Reply};
use crate::moving::{Placed, Prepared};
use crate::snapshot::Snapshot;
use crate::values::Values;

/// Writes down the snapshot that is made within it, after all that were made before.
pub type Keeper =
    Box<dyn Fn(&dyn Fn() -> Result<Option<Snapshot>>) -> Result<()> + Send + Sync + 'static>;

impl<V: Values> Store<V> {
    /// Where moves are written down before they happen. Without, servers that die in a move lose what they have.
    pub fn keep_with(&self, keeper: Keeper) {
        drop(self.keeper.set(keeper));
    }

    /// Where variables are.
    pub fn placed(&self) -> Placed {
        self.state.lock().placed.clone()
    }

    /// The layout's number, and the move that somebody must ask about.
    pub(crate) fn layout_now(&self) -> (u64, u64) {
        let state = self.state.lock();
        let ready = state.moving.prepared.as_ref().filter(|ready| !ready.decides);
        let alone =
            ready.filter(|_| state.moving.hold.as_ref().is_none_or(|h| Instant::now() > h.until));
        (state.placed.epoch, alone.map_or(0, |ready| ready.prepared.id))
    }

    pub(crate) fn look(&self, id: u64, now: Instant) -> Reply {
        let mut state = self.state.lock();
        state.moving.let_go(now);
        state.reply(id)
    }

    pub(crate) fn load(&self) -> Reply {
        let load = |(name, load): (&String, &crate::moving::Load)| LoadOf {
            name: name.clone(),
            received: load.received,
            sent: load.sent,
            nanoseconds: load.applying.as_nanos() as u64,
        };
        let loads = self.loads.lock().0.iter().map(load).collect();
        let epoch = self.state.lock().placed.epoch;
        Reply { loads, epoch, ..Reply::default() }
    }

    /// Keeps what this server is to have; written down when this returns, unless this server decides.
    pub(crate) fn prepare(
        &self,
        id: u64,
        prepare: Prepare,
        values: Vec<Named<Tensor>>,
        now: Instant,
    ) -> Result<Reply> {
        self.values.check(&prepare.program)?;
        self.check_cut_number(prepare.cut)?;
        let Prepare { epoch, layout, program, decides, hold, start, leaving, cut } = prepare;
        {
            let mut state = self.state.lock();
            state.moving.let_go(now);
            let held = state.moving.hold.as_ref();
            let same = |held: &Held| held.id == id && held.number == hold;
            if start != self.incarnation || !held.is_some_and(same) {
                return Err(Status::aborted("this server has let go of the move"));
            }
            if epoch != state.placed.epoch + 1 || state.is_open() {
                return Err(Status::aborted(format!(
                    "a move to the layout {epoch} does not follow on {}",
                    state.placed.epoch
                )));
            }
            let placed = Placed { epoch, layout };
            let prepared = Prepared { id, placed, program, values, leaving, cut };
            state.moving.prepared = Some(Ready { prepared, decides });
            state.recovery.newest = state.recovery.newest.max(cut);
        }
        if !decides && let Err(status) = self.write_down(false) {
            self.state.lock().moving.drop_of(id);
            return Err(status);
        }
        Ok(self.state.lock().reply(id))
    }

    /// The move happens, or does not. On the server that decides it has happened when this is written down.
    pub(crate) fn decide(&self, id: u64, happens: bool, now: Instant) -> Result<Reply> {
        let decides = {
            let mut state = self.state.lock();
            if id != 0 && state.moved_by == id {
                return match happens {
                    true => Ok(state.reply(id)),
                    false => Err(Status::aborted("the move has happened")),
                };
            }
            state.moving.let_go(now);
            if state.moving.deciding {
                return Err(Status::aborted("the move is being decided"));
            }
            if !happens {
                state.moving.drop_of(id);
                let reply = state.reply(id);
                drop(state);
                self.changed();
                return Ok(reply);
            }
            let ready = state.moving.prepared.as_ref();
            let Some(ready) = ready.filter(|ready| ready.prepared.id == id) else {
                return Err(Status::aborted("this server is not prepared for the move"));
            };
            let decides = ready.decides;
            state.moving.deciding = true;
            decides
        };
        let written = if decides { self.write_down(true) } else { Ok(()) };
        let switched = written.and_then(|()| self.switch());
        let mut state = self.state.lock();
        state.moving.deciding = false;
        if switched.is_err() && decides {
            state.moving.drop_of(id);
        }
        let reply = state.reply(id);
        drop(state);
        self.changed();
        switched.map(|()| reply)
    }

    /// Writes what is here, or what will be when the move has happened, as the move's cut.
    fn write_down(&self, next: bool) -> Result<()> {
        let make = || if next { self.snapshot_of_next() } else { self.snapshot() };
        if let Some(cuts) = self.cuts.get() {
            let prepared = |state: &State| state.moving.prepared.as_ref().map(|r| r.prepared.cut);
            let Some(number) = prepared(&self.state.lock()) else {
                return Err(Status::aborted("this server is not prepared for the move"));
            };
            // A server that has gone back meanwhile is not prepared any more.
            let make = || {
                let is_prepared = prepared(&self.state.lock()) == Some(number);
                if is_prepared { make() } else { Ok(None) }
            };
            return cuts.write(number, &make);
        }
        self.keeper.get().map_or(Ok(()), |keeper| keeper(&make))
    }

    /// What will be here when the move has happened.
    fn snapshot_of_next(&self) -> Result<Option<Snapshot>> {
        let Some(snapshot) = self.snapshot()? else { return Ok(None) };
        let state = self.state.lock();
        let Some(ready) = &state.moving.prepared else {
            return Err(Status::internal("a move that was not prepared"));
        };
        let Prepared { id, placed, program, values, leaving, .. } = ready.prepared.clone();
        let gone: BTreeSet<&String> = values.iter().map(|(name, _)| name).chain(&leaving).collect();
        let mut all = snapshot.values;
        all.retain(|(name, _)| !gone.contains(name));
        all.extend(values);
        let mut definition = snapshot.definition;
        definition.program = program;
        let (values, moved_by) = (all, id);
        Ok(Some(Snapshot { definition, placed, moved_by, prepared: None, values, ..snapshot }))
    }

    /// From one layout to the next.
    fn switch(&self) -> Result<()> {
        let _cut = self.cut.write();
        let _alone = self.switching.write();
        let ready = self.state.lock().moving.prepared.take();
        let Some(Ready { prepared, .. }) = ready else {
            return Err(Status::internal("a move that was not prepared"));
        };
        let Prepared { id, placed, program, values, leaving, .. } = prepared;
        self.values.define(&program)?;
        // Another number of rows is another variable.
        for name in leaving.iter().chain(values.iter().map(|(name, _)| name)) {
            if self.values.get(name).is_ok() {
                self.values.remove(name)?;
            }
        }
        for (name, value) in values {
            self.values.set(&name, value)?;
        }
        let mut state = self.state.lock();
        if let Some(definition) = &mut state.definition {
            definition.program = program;
        }
        tracing::info!("this server has the layout {} now", placed.epoch);
        (state.placed, state.moved_by) = (placed, id);
        state.moving.hold = None;
        self.loads.lock().0.clear();
        Ok(())
    }
}

/// Answers a mover, or somebody who wants to know.
pub(crate) fn answer<V: Values>(
    store: &Store<V>,
    request: messages::Request,
    values: Vec<Named<Tensor>>,
    now: Instant,
) -> Result<Reply> {
    use messages::Step;
    let messages::Request { id, step } = request;
    match step {
        Some(Step::Look(_)) => Ok(store.look(id, now)),
        Some(Step::Loads(_)) => Ok(store.load()),
        Some(Step::Hold(hold)) => store.hold(id, &hold, now),
        Some(Step::Prepare(prepare)) => store.prepare(id, prepare, values, now),
        Some(Step::Decide(decide)) => store.decide(id, decide.happens, now),
        None => Err(Status::unimplemented("this server does not know that step of a move")),
    }
}
