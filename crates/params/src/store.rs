//! The books of one server: when an update is made, and who waits.
//!
//! Protocol. `state` is locked for book-keeping only. An update is: its turn in the ledger, its numbers
//! (outside of `state`), its receipt in the ledger. `cut` is held for reading over all three, and for writing
//! by a snapshot, which so sees an update with its receipt or neither, and by values that are put, which so
//! never come in the middle of an update. `sums` is locked after `cut` and before `state`, and orders updates
//! that are made of everybody's gradients, so that a pull sees whole ones.
//! Whoever waits watches `changes`, which is told only of what somebody can wait for: else each push would wake everybody.

mod snapshots;
mod updates;

use std::time::Duration;

use bytes::Bytes;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use crate::gradient::Named;
use crate::ledger::Ledger;
use crate::member::Member;
use crate::message::{Answer, Join, Leave, Pull, Put};
use crate::mode::Mode;
use crate::positions::Positions;
use crate::sandblaster::Sandblaster;
use crate::sums::Sums;
use crate::values::Values;

/// What is trained, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// For [`Values::define`].
    pub program: Bytes,
    /// When gradients become updates.
    pub mode: Mode,
}

/// How patient a store is.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A worker that says nothing for so long is out.
    pub silence: Duration,
    /// A request that has to wait is answered with "not yet" after this.
    pub wait: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { silence: Duration::from_secs(30), wait: Duration::from_secs(5) }
    }
}

impl Limits {
    /// How often workers are to give a sign of life: one that gets lost, or comes late, puts nobody out.
    pub fn beat(silence: Duration) -> Duration {
        (silence / 5).min(Duration::from_secs(5))
    }

    /// How often a server is to look for the silent.
    pub fn watch(silence: Duration) -> Duration {
        (silence / 10).min(Duration::from_secs(1))
    }
}

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

/// One server's books, and its values.
pub struct Store<V> {
    values: V,
    limits: Limits,
    /// Of this start.
    pub(crate) incarnation: u64,
    cut: RwLock<()>,
    sums: Mutex<Sums>,
    state: Mutex<State>,
    /// Woken in the order they came: which of them is first is no accident.
    changes: Notify,
    pub(crate) sandblaster: Sandblaster,
}

#[derive(Default)]
struct State {
    definition: Option<Definition>,
    ready: bool,
    version: u64,
    /// Of steps, where workers push each its own.
    shares: u64,
    /// What those who wait were told last: the version, or the steps of the slowest.
    told: u64,
    /// The start of the server whose snapshot this one came back from, and its version: gradients of that
    /// are gradients of what was restored.
    origin: Option<(u64, u64)>,
    ledger: Ledger,
    positions: Positions,
    statistics: Statistics,
}

/// What a worker gets.
pub(crate) struct Wanted {
    pub whole: Vec<Named<Tensor>>,
    pub rows: Vec<Named<Tensor>>,
}

/// An answer, or that there is none yet.
pub(crate) type Maybe<T> = Option<T>;

impl<V: Values> Store<V> {
    /// An empty store; `incarnation` is this start's.
    pub fn new(values: V, limits: Limits, incarnation: u64) -> Store<V> {
        Store {
            values,
            limits,
            incarnation,
            cut: RwLock::new(()),
            sums: Mutex::default(),
            state: Mutex::default(),
            changes: Notify::new(),
            sandblaster: Sandblaster::default(),
        }
    }

    /// The numbers.
    pub fn values(&self) -> &V {
        &self.values
    }

    /// How patient it is.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What has happened so far.
    pub fn statistics(&self) -> Statistics {
        self.state.lock().statistics.clone()
    }

    /// The positions of leased data that are in the values.
    pub fn positions(&self) -> downpour_coordinator::Ledger {
        self.state.lock().positions.applied().clone()
    }

    /// Whether variables have values.
    pub fn is_ready(&self) -> bool {
        self.state.lock().ready
    }

    /// Who takes part.
    pub fn members(&self) -> Vec<Membership> {
        let member = |(worker, member): (&u32, &Member)| Membership {
            worker: *worker,
            incarnation: member.incarnation,
            sequence: member.sequence,
            clock: member.clock,
            used: member.used,
            gone: member.gone,
        };
        self.state.lock().ledger.members.iter().map(member).collect()
    }

    /// Ready with the next change.
    pub(crate) fn change(&self) -> Notified<'_> {
        self.changes.notified()
    }

    fn changed(&self) {
        self.changes.notify_waiters();
        self.sandblaster.board.wake();
    }

    /// Held while values change, so that a snapshot sees all of a change or nothing.
    pub(crate) fn changing(&self) -> RwLockReadGuard<'_, ()> {
        self.cut.read()
    }

    /// A sign of life.
    pub(crate) fn heard(&self, worker: u32, incarnation: u64, now: Instant) -> Result<()> {
        self.state.lock().ledger.seen(worker, incarnation, now).map(drop)
    }

    /// Whether a start of a worker takes part.
    pub(crate) fn takes_part(&self, worker: u32, incarnation: u64) -> bool {
        let state = self.state.lock();
        let member = state.ledger.members.get(&worker);
        member.is_some_and(|member| member.incarnation == incarnation && !member.gone)
    }

    /// A coordinator has given the variables new values: an update, of one step.
    pub(crate) fn published(&self) {
        let mut state = self.state.lock();
        state.version += 1;
        state.statistics.updates += 1;
        state.statistics.steps += 1;
    }

    /// Says what is to be trained. The same again changes nothing; something else is refused.
    pub fn define(&self, definition: Definition) -> Result<()> {
        let definition = Definition { mode: definition.mode.checked()?, ..definition };
        let mut state = self.state.lock();
        match &state.definition {
            Some(known) if *known == definition => Ok(()),
            Some(_) => Err(Status::failed_precondition(
                "this server trains something else: another model, optimizer or strategy. All workers must be \
                 given the same; stop the servers before another job.",
            )),
            None => {
                self.values.define(&definition.program)?;
                state.definition = Some(definition);
                Ok(())
            }
        }
    }

    fn mode(state: &State) -> Result<Mode> {
        let defined = state.definition.as_ref().map(|definition| definition.mode);
        defined.ok_or_else(|| {
            Status::failed_precondition("this server has not been told what it is to train")
        })
    }

    pub(crate) fn join(&self, join: &Join, now: Instant) -> Result<Maybe<Answer>> {
        let Join { worker, incarnation, beat, again, used } = *join;
        let mut state = self.state.lock();
        Self::mode(&state)?;
        if beat {
            state.ledger.seen(worker, incarnation, now)?;
            return Ok(Some(self.answer(&state)));
        }
        let known = state.ledger.members.get(&worker).map(|m| m.incarnation);
        let joined = state.ledger.join(worker, incarnation, again, used, now)?;
        let Some(place) = joined else { return Ok(None) };
        if known != Some(incarnation) {
            tracing::info!("worker {worker} takes part (start {incarnation})");
        }
        state.lost(worker, place.lost);
        let answer = Answer {
            sequence: place.sequence,
            clock: place.clock,
            used_before: place.used,
            ..self.answer(&state)
        };
        drop(state);
        self.changed();
        Ok(Some(answer))
    }

    pub(crate) fn leave(&self, leave: &Leave) -> Result<Answer> {
        let Leave { worker, incarnation, used } = *leave;
        {
            let mut state = self.state.lock();
            Self::mode(&state)?;
            let lost = state.ledger.leave(worker, incarnation, used)?;
            state.lost(worker, lost);
        }
        self.complete_without_the_gone()?;
        self.changed();
        Ok(self.answer(&self.state.lock()))
    }

    fn answer(&self, state: &State) -> Answer {
        Answer {
            version: state.version,
            steps: state.statistics.steps,
            server: self.incarnation,
            ready: state.ready,
            ..Answer::default()
        }
    }

    /// Gives variables values; with the last of them the store is ready. What has come already, or is to be
    /// the first when there is a first, changes nothing.
    pub(crate) fn put(
        &self,
        put: &Put,
        values: Vec<Named<Tensor>>,
        now: Instant,
    ) -> Result<Answer> {
        let _cut = self.cut.write();
        {
            let mut state = self.state.lock();
            Self::mode(&state)?;
            let ready = state.ready;
            let member = state.ledger.seen(put.worker, put.incarnation, now)?;
            if put.number <= member.put || put.ready && ready {
                return Ok(self.answer(&state));
            }
        }
        for (name, value) in values {
            self.values.set(&name, value)?;
        }
        let mut state = self.state.lock();
        if put.ready {
            state.ready = true;
            state.version = put.version;
            state.statistics.steps = put.version;
        }
        state.ledger.seen(put.worker, put.incarnation, now)?.put = put.number;
        let answer = self.answer(&state);
        drop(state);
        self.changed();
        Ok(answer)
    }

    /// Whether a worker may have the parameters for its next step.
    pub(crate) fn may_pull(&self, pull: &Pull, now: Instant) -> Result<bool> {
        let mut state = self.state.lock();
        let mode = Self::mode(&state)?;
        if pull.now {
            return Ok(state.ready);
        }
        state.ledger.seen(pull.worker, pull.incarnation, now)?;
        // A server that has gone back in time gets to know where its workers are.
        let clock = state.ledger.advance(pull.worker, pull.clock);
        if state.news(mode) {
            self.changes.notify_waiters();
        }
        Ok(state.ready
            && match mode {
                Mode::AtOnce => true,
                Mode::Together { .. } => state.version >= pull.at_least,
                Mode::Bounded { workers, bound } => {
                    clock <= state.ledger.slowest(workers).saturating_add(u64::from(bound))
                }
            })
    }

    /// Values by name, and rows by their numbers; all of one moment where updates are made together.
    pub(crate) fn pull(
        &self,
        names: &[String],
        exactly: bool,
        rows: Vec<Named<Tensor>>,
    ) -> Result<(Answer, Wanted)> {
        let together = matches!(Self::mode(&self.state.lock())?, Mode::Together { .. });
        let _whole = together.then(|| self.sums.lock());
        // Before the values: they may be newer than this says, never older.
        let answer = self.answer(&self.state.lock());
        let names = match names.is_empty() && !exactly {
            true => self.values.names(),
            false => names.to_vec(),
        };
        let value = |name: String| self.values.get(&name).map(|value| (name, value));
        let some = |(name, numbers): Named<Tensor>| {
            self.values.rows(&name, &numbers).map(|rows| (name, rows))
        };
        let whole = names.into_iter().map(value).collect::<Result<_>>()?;
        let rows = rows.into_iter().map(some).collect::<Result<_>>()?;
        Ok((answer, Wanted { whole, rows }))
    }

    /// To be called now and then: who is silent for too long is out, and nobody waits for them any more.
    pub fn tick(&self, now: Instant) -> Result<Vec<u32>> {
        let lost = self.state.lock().ledger.expire(now, self.limits.silence);
        if !lost.is_empty() {
            for worker in &lost {
                tracing::warn!(
                    "worker {worker} was silent for {:.0} s: training goes on without it until it joins again",
                    self.limits.silence.as_secs_f64()
                );
            }
            self.complete_without_the_gone()?;
            self.changed();
        }
        Ok(lost)
    }

    /// This server has heard nothing because it did not listen: everybody's silence begins anew.
    pub(crate) fn forgive(&self, now: Instant) {
        self.state.lock().ledger.forgive(now);
    }
}

impl State {
    /// Whether somebody who waits may go on now that has not been told.
    fn news(&mut self, mode: Mode) -> bool {
        let now = match mode {
            Mode::AtOnce => return false,
            Mode::Together { .. } => self.version,
            Mode::Bounded { workers, .. } => self.ledger.slowest(workers),
        };
        std::mem::replace(&mut self.told, now) != now
    }

    fn lost(&mut self, worker: u32, updates: u64) {
        self.statistics.lost += updates;
        if updates > 0 {
            tracing::warn!(
                "{updates} updates of worker {worker} were applied here before and are lost with what came after \
                 the last snapshot"
            );
        }
    }
}
