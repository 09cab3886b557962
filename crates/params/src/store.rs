//! The books of one server: when an update is made, and who waits.
//!
//! Protocol. `state` is locked for book-keeping only. An update is: its turn in the ledger, its numbers
//! (outside of `state`), its receipt in the ledger. `cut` is held for reading over all three, and for writing
//! by a snapshot, which so sees an update with its receipt or neither, and by values that are put, which so
//! never come in the middle of an update. `sums` is locked after `cut` and before `state`, and orders updates
//! that are made of everybody's gradients, so that a pull sees whole ones.
//! Whoever waits watches `changes`, which is told only of what somebody can wait for: else each push would wake everybody.

mod holding;
mod members;
mod moving;
mod pulls;
mod recovery;
mod snapshots;
mod statistics;
mod updates;
mod vector_cuts;

use std::sync::OnceLock;
use std::time::Duration;

use bytes::Bytes;
use downpour_coordinator::Attendance;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use crate::gradient::Named;
use crate::ledger::Ledger;
use crate::member::Member;
use crate::message::{Answer, Put};
use crate::mode::Mode;
use crate::moving::{Loads, Placed};
use crate::positions::Positions;
use crate::sandblaster::Sandblaster;
use crate::sums::Sums;
use crate::values::Values;
pub use moving::Keeper;
pub(crate) use moving::answer as answer_mover;
pub(crate) use recovery::answer as answer_leader;
pub use statistics::{Membership, Statistics};

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
    /// Held for writing while variables change hands.
    switching: RwLock<()>,
    keeper: OnceLock<Keeper>,
    cuts: OnceLock<recovery::Cuts>,
    loads: Mutex<Loads>,
    pub(crate) attendance: Attendance,
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
    placed: Placed,
    /// The move that has brought that.
    moved_by: u64,
    moving: holding::Moving,
    recovery: recovery::Recovery,
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
            switching: RwLock::new(()),
            keeper: OnceLock::new(),
            cuts: OnceLock::new(),
            loads: Mutex::default(),
            attendance: Attendance::default(),
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

    /// A coordinator has given the variables new values: an update, of one step.
    pub(crate) fn published(&self) {
        let mut state = self.state.lock();
        state.version += 1;
        state.statistics.updates += 1;
        state.statistics.steps += 1;
    }

    /// Says what is to be trained. The same again changes nothing; something else is refused.
    pub fn define(&self, definition: Definition) -> Result<()> {
        self.define_placed(definition, Placed::default())
    }

    /// The same with where variables are. Somebody who has another layout is refused.
    pub(crate) fn define_placed(&self, definition: Definition, placed: Placed) -> Result<()> {
        let definition = Definition { mode: definition.mode.checked()?, ..definition };
        let mut state = self.state.lock();
        if state.definition.is_some() {
            state.of_layout(placed.epoch)?;
        }
        match &state.definition {
            Some(known) if *known == definition => Ok(()),
            Some(_) => Err(Status::failed_precondition(
                "this server trains something else: another model, optimizer or strategy. All workers must be \
                 given the same; stop the servers before another job.",
            )),
            None => {
                self.values.define(&definition.program)?;
                (state.definition, state.placed) = (Some(definition), placed);
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
            state.of_layout(put.epoch)?;
            state.of_recovery(put.recovery)?;
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
