//! A server's side of a move (see [`crate::moving`]).
//!
//! Protocol. `moving` is in the books, under the lock of `state`. A keeper's own lock comes before `cut`: a snapshot is
//! made and written under it, so that none overwrites a newer one. Values change hands in `switch` alone, under `cut` and
//! `switching`, which whoever reads values holds for reading: a pull sees all of one layout or is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use downpour_tensor::{Result, Status, Tensor};
use tokio::time::Instant;

use super::{State, Store};
use crate::gradient::Named;
use crate::member::{Member, Tag};
use crate::moving::messages::{self, Fate, Hold, Last, LoadOf, Prepare, Reply};
use crate::moving::{Placed, Prepared};
use crate::snapshot::Snapshot;
use crate::values::Values;

/// Writes down the snapshot that is made within it, after all that were made before.
pub type Keeper =
    Box<dyn Fn(&dyn Fn() -> Result<Option<Snapshot>>) -> Result<()> + Send + Sync + 'static>;

/// A move that is under way here.
#[derive(Default)]
pub(super) struct Moving {
    hold: Option<Held>,
    /// Of this start: no two holds are the same.
    holds: u64,
    pub prepared: Option<Ready>,
    /// The decision is being written down.
    deciding: bool,
}

struct Held {
    id: u64,
    number: u64,
    until: Instant,
    /// Of each worker, up to which of its updates another server has it.
    last: BTreeMap<u32, (u64, u64)>,
}

/// Prepared, and what only this start of the server has to know.
pub(super) struct Ready {
    pub prepared: Prepared,
    /// This server's word decides: without a mover the move has not happened.
    decides: bool,
}

impl Ready {
    pub fn restored(prepared: Prepared) -> Ready {
        Ready { prepared, decides: false }
    }
}

impl Moving {
    /// A hold is over when its mover is late; what another server decides is not.
    fn let_go(&mut self, now: Instant) {
        if self.deciding || self.hold.as_ref().is_none_or(|hold| now <= hold.until) {
            return;
        }
        tracing::info!("the mover is not heard any more");
        self.hold = None;
        self.prepared.take_if(|ready| ready.decides);
    }

    fn drop_of(&mut self, id: u64) {
        self.hold.take_if(|hold| hold.id == id);
        self.prepared.take_if(|ready| ready.prepared.id == id);
    }

    fn is_of(&self, id: u64) -> bool {
        self.hold.as_ref().is_some_and(|hold| hold.id == id)
            || self.prepared.as_ref().is_some_and(|ready| ready.prepared.id == id)
    }

    /// What a snapshot must have: not what this server decides itself.
    pub fn kept(&self) -> Option<Prepared> {
        let ready = self.prepared.as_ref().filter(|ready| !ready.decides);
        ready.map(|ready| ready.prepared.clone())
    }
}

impl State {
    /// Requests are of the layout that is here.
    pub(super) fn of_layout(&self, epoch: u64) -> Result<()> {
        let here = self.placed.epoch;
        if epoch == here {
            return Ok(());
        }
        Err(Status::aborted(format!(
            "variables have moved: this server has the layout {here}, and was asked by somebody who has the layout {epoch}"
        )))
    }

    /// Whether a push that has not come before may be taken now.
    pub(super) fn may_take(&mut self, tag: Tag, now: Instant) -> bool {
        self.moving.let_go(now);
        if self.moving.prepared.is_some() {
            return false;
        }
        let Some(hold) = &self.moving.hold else { return true };
        let elsewhere = hold.last.get(&tag.worker);
        elsewhere.is_some_and(|last| (tag.incarnation, tag.sequence) <= *last) || self.step_is_open()
    }

    fn step_is_open(&self) -> bool {
        self.ledger.members.values().any(|member| member.pending.is_some())
    }

    /// Nothing is being applied, and nothing waits for the rest of its step.
    fn is_open(&self) -> bool {
        let open = |member: &Member| {
            member.busy || member.pending.is_some() || member.apart > member.sequence
        };
        self.ledger.members.values().any(open)
    }

    fn reply(&self, id: u64) -> Reply {
        let last = |(worker, member): (&u32, &Member)| Last {
            worker: *worker,
            incarnation: member.incarnation,
            sequence: member.sequence,
        };
        let there = self.ledger.members.iter().filter(|(_, member)| !member.gone);
        let fate = match id != 0 && self.moved_by == id {
            true => Fate::Happened,
            false if self.moving.is_of(id) => Fate::Undecided,
            false => Fate::Void,
        };
        let prepared = self.moving.prepared.as_ref().filter(|ready| !ready.decides);
        Reply {
            defined: self.definition.is_some(),
            epoch: self.placed.epoch,
            layout: self.placed.layout.clone(),
            prepared: prepared.map_or(0, |ready| ready.prepared.id),
            fate: fate as u32,
            last: there.map(last).collect(),
            open: self.is_open(),
            positions: self.positions_sum(),
            hold: self.moving.hold.as_ref().map_or(0, |hold| hold.number),
            loads: Vec::new(),
        }
    }

    fn positions_sum(&self) -> u32 {
        self.positions.applied().extents().fold(0, |sum, extent| {
            let epoch = u64::from(extent.data_epoch);
            let numbers = [extent.dataset, epoch, extent.start, extent.end];
            numbers.iter().fold(sum, |sum, n| crc32c::crc32c_append(sum, &n.to_le_bytes()))
        })
    }
}

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
        let alone = ready.filter(|_| state.moving.hold.as_ref().is_none_or(|h| Instant::now() > h.until));
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

    pub(crate) fn hold(&self, id: u64, hold: &Hold, now: Instant) -> Result<Reply> {
        let mut state = self.state.lock();
        Self::mode(&state)?;
        if !state.ready || id == 0 {
            return Err(Status::aborted("this server has no values to move"));
        }
        state.moving.let_go(now);
        let until = now + Duration::from_millis(hold.milliseconds);
        let moving = &mut state.moving;
        let other = moving.prepared.as_ref().is_some_and(|ready| ready.prepared.id != id);
        match &mut moving.hold {
            Some(held) if held.id == id && !other => {
                held.until = held.until.max(until);
                for Last { worker, incarnation, sequence } in &hold.last {
                    let last = held.last.entry(*worker).or_default();
                    *last = (*last).max((*incarnation, *sequence));
                }
            }
            None if hold.begin && !other => {
                moving.holds += 1;
                let number = moving.holds;
                moving.hold = Some(Held { id, number, until, last: BTreeMap::new() });
            }
            None if !other => return Err(Status::aborted("this server has let go of the move")),
            _ => return Err(Status::aborted("another move is under way")),
        }
        let reply = state.reply(id);
        drop(state);
        // Who may push now may have waited.
        self.changed();
        Ok(reply)
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
        let Prepare { epoch, layout, program, decides, hold, start, leaving } = prepare;
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
            let prepared = Prepared { id, placed, program, values, leaving };
            state.moving.prepared = Some(Ready { prepared, decides });
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

    fn write_down(&self, next: bool) -> Result<()> {
        let Some(keeper) = self.keeper.get() else { return Ok(()) };
        match next {
            true => keeper(&|| self.snapshot_of_next()),
            false => keeper(&|| self.snapshot()),
        }
    }

    /// What will be here when the move has happened.
    fn snapshot_of_next(&self) -> Result<Option<Snapshot>> {
        let Some(snapshot) = self.snapshot()? else { return Ok(None) };
        let state = self.state.lock();
        let Some(ready) = &state.moving.prepared else {
            return Err(Status::internal("a move that was not prepared"));
        };
        let Prepared { id, placed, program, values, leaving } = ready.prepared.clone();
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
        let Prepared { id, placed, program, values, leaving } = prepared;
        self.values.define(&program)?;
        for name in &leaving {
            self.values.remove(name)?;
        }
        for (name, value) in values {
            // Another number of rows is another variable.
            if self.values.get(&name).is_ok() {
                self.values.remove(&name)?;
            }
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
