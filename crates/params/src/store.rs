//! The books of one server: when an update is made, and who waits.
//!
//! Protocol. `state` is locked for book-keeping only. An update is: its turn in the ledger, its numbers
//! (outside of `state`), its receipt in the ledger. `cut` is held for reading over all three, and for writing
//! by a snapshot, which so sees an update with its receipt or neither. `sums` is locked before `state`, and
//! orders updates that are made of everybody's gradients, so that a pull sees whole ones.
//! Whoever waits watches `changes`.

use std::time::Duration;

use bytes::Bytes;
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::{Mutex, RwLock};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::gradient::{Gradient, Named, Update};
use crate::ledger::{Ledger, Member, Receipt, Tag, Turn};
use crate::message::{Answer, Push};
use crate::mode::Mode;
use crate::snapshot::Snapshot;
use crate::sums::Sums;
use crate::values::Values;

/// Stalenesses that are counted one by one.
const HISTOGRAM: usize = 64;

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
    /// Updates that were answered and are not in the snapshot this server came back from.
    pub lost: u64,
    /// Pushes of an incarnation that is over.
    pub refused: u64,
    /// How many updates had a staleness of 0, 1, 2 ...; the last counts all that were larger.
    pub staleness: Vec<u64>,
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
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    definition: Option<Definition>,
    ready: bool,
    version: u64,
    /// Of steps, where workers push each its own.
    shares: u64,
    ledger: Ledger,
    statistics: Statistics,
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
            changes: watch::Sender::new(0),
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

    /// Whether variables have values.
    pub fn is_ready(&self) -> bool {
        self.state.lock().ready
    }

    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
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

    pub(crate) fn join(
        &self,
        worker: u32,
        incarnation: u64,
        now: Instant,
    ) -> Result<Maybe<Answer>> {
        let mut state = self.state.lock();
        Self::mode(&state)?;
        let known = state.ledger.members.get(&worker).map(|m| m.incarnation);
        let joined = state.ledger.join(worker, incarnation, now)?;
        let Some(sequence) = joined else { return Ok(None) };
        if known != Some(incarnation) {
            tracing::info!("worker {worker} takes part (start {incarnation})");
        }
        let answer = Answer { sequence, ready: state.ready, ..self.answer(&state) };
        drop(state);
        self.changed();
        Ok(Some(answer))
    }

    pub(crate) fn leave(&self, worker: u32, incarnation: u64) -> Result<Answer> {
        self.state.lock().ledger.leave(worker, incarnation);
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

    /// Gives variables values; with the last of them the store is ready.
    pub(crate) fn put(
        &self,
        values: Vec<Named<Tensor>>,
        ready: bool,
        version: u64,
    ) -> Result<Answer> {
        let _cut = self.cut.read();
        Self::mode(&self.state.lock())?;
        for (name, value) in values {
            self.values.set(&name, value)?;
        }
        let mut state = self.state.lock();
        if ready && !state.ready {
            state.ready = true;
            state.version = version;
            state.statistics.steps = version;
        }
        let answer = self.answer(&state);
        drop(state);
        self.changed();
        Ok(answer)
    }

    /// Applies a worker's gradients, once; `None` if it must be asked again.
    pub(crate) fn push(
        &self,
        push: &Push,
        Update { gradients, set }: Update,
        now: Instant,
    ) -> Result<Maybe<Answer>> {
        let tag =
            Tag { worker: push.worker, incarnation: push.incarnation, sequence: push.sequence };
        let _cut = self.cut.read();
        let mode = {
            let mut state = self.state.lock();
            let mode = Self::mode(&state)?;
            if !state.ready {
                return Ok(None);
            }
            let turn = state.ledger.begin(tag, now);
            if turn.is_err() {
                state.statistics.refused += 1;
            }
            match turn? {
                Turn::Busy => return Ok(None),
                Turn::Repeated(receipt) => {
                    state.statistics.repeated += 1;
                    return Ok(Some(self.receipt(tag, receipt)));
                }
                Turn::Begin { lost } => {
                    state.statistics.lost += lost;
                    if lost > 0 {
                        tracing::warn!(
                            "{lost} updates of worker {} were applied here before and are lost with what came \
                             after the last snapshot",
                            tag.worker
                        );
                    }
                    mode
                }
            }
        };
        let applied = self.update(mode, push, gradients).and_then(|receipt| {
            for (name, value) in set {
                self.values.set(&name, value)?;
            }
            Ok(receipt)
        });
        let mut state = self.state.lock();
        let answer = match applied {
            Ok(receipt) => {
                state.ledger.finish(tag, receipt);
                Ok(Some(self.receipt(tag, receipt)))
            }
            Err(status) => {
                state.ledger.abandon(tag);
                Err(status)
            }
        };
        drop(state);
        self.changed();
        answer
    }

    fn receipt(&self, tag: Tag, receipt: Receipt) -> Answer {
        Answer {
            version: receipt.version,
            steps: receipt.steps,
            used: receipt.used,
            staleness: receipt.staleness,
            next: receipt.next,
            sequence: tag.sequence,
            ready: true,
            server: self.incarnation,
            ..Answer::default()
        }
    }

    fn update(
        &self,
        mode: Mode,
        push: &Push,
        mut gradients: Vec<Named<Gradient>>,
    ) -> Result<Receipt> {
        let Mode::Together { workers, backups } = mode else {
            let share = mode.share();
            if share != 1.0 {
                gradients.iter_mut().try_for_each(|(_, gradient)| gradient.scale(share))?;
            }
            let steps = self.steps_of(mode, push.steps);
            self.values.apply(gradients, steps)?;
            return Ok(self.count(push.base, steps));
        };
        let mut sums = self.sums.lock();
        {
            let mut state = self.state.lock();
            if push.base < state.version {
                state.statistics.dropped += 1;
                let (version, steps) = (state.version, state.statistics.steps);
                let staleness = version - push.base;
                return Ok(Receipt { version, steps, used: false, staleness, next: version });
            }
        }
        sums.add(push.worker, gradients, push.steps)?;
        let gone = self.state.lock().ledger.gone();
        if sums.workers.len() as u32 >= required(workers, backups, gone) {
            return self.complete(&mut sums);
        }
        let state = self.state.lock();
        let (version, steps) = (state.version, state.statistics.steps);
        Ok(Receipt { version, steps, used: true, staleness: 0, next: version + 1 })
    }

    /// Steps an update counts as. A worker's share of a step is a step with the last share.
    fn steps_of(&self, mode: Mode, pushed: u64) -> u64 {
        let Mode::Bounded { workers, .. } = mode else { return pushed };
        let mut state = self.state.lock();
        state.shares += 1;
        match state.shares % u64::from(workers.max(1)) {
            0 => pushed,
            _ => 0,
        }
    }

    /// One update of what is there.
    fn complete(&self, sums: &mut Sums) -> Result<Receipt> {
        let (averages, steps) = sums.take()?;
        self.values.apply(averages, steps)?;
        let base = self.state.lock().version;
        Ok(self.count(base, steps))
    }

    fn count(&self, base: u64, steps: u64) -> Receipt {
        let mut state = self.state.lock();
        let staleness = state.version.saturating_sub(base);
        state.version += 1;
        let statistics = &mut state.statistics;
        statistics.updates += 1;
        statistics.steps += steps;
        statistics.staleness.resize(HISTOGRAM, 0);
        statistics.staleness[(staleness as usize).min(HISTOGRAM - 1)] += 1;
        let steps = statistics.steps;
        Receipt { version: state.version, steps, used: true, staleness, next: state.version }
    }

    /// Whether a worker may have the parameters for its next step.
    pub(crate) fn may_pull(
        &self,
        worker: u32,
        incarnation: u64,
        at_least: u64,
        now: Instant,
    ) -> Result<bool> {
        let mut state = self.state.lock();
        let mode = Self::mode(&state)?;
        state.ledger.seen(worker, incarnation, now)?;
        if !state.ready {
            return Ok(false);
        }
        Ok(match mode {
            Mode::AtOnce => true,
            Mode::Together { .. } => state.version >= at_least,
            Mode::Bounded { workers, bound } => {
                let own = state.ledger.members.get(&worker).map_or(0, |m| m.clock);
                own <= state.ledger.slowest(workers) + u64::from(bound)
            }
        })
    }

    /// Values by name; all of one moment where updates are made together.
    pub(crate) fn pull(&self, names: &[String]) -> Result<(Answer, Vec<Named<Tensor>>)> {
        let together = matches!(Self::mode(&self.state.lock())?, Mode::Together { .. });
        let _whole = together.then(|| self.sums.lock());
        // Before the values: they may be newer than this says, never older.
        let answer = self.answer(&self.state.lock());
        let names = match names.is_empty() {
            true => self.values.names(),
            false => names.to_vec(),
        };
        let value = |name: String| self.values.get(&name).map(|value| (name, value));
        Ok((answer, names.into_iter().map(value).collect::<Result<_>>()?))
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

    fn complete_without_the_gone(&self) -> Result<()> {
        let _cut = self.cut.read();
        let mut sums = self.sums.lock();
        let (mode, gone) = {
            let state = self.state.lock();
            (state.definition.as_ref().map(|d| d.mode), state.ledger.gone())
        };
        let Some(Mode::Together { workers, backups }) = mode else { return Ok(()) };
        let there = sums.workers.len() as u32;
        if there > 0 && there >= required(workers, backups, gone) {
            self.complete(&mut sums)?;
        }
        Ok(())
    }

    /// Everything at one moment; values are shared, not copied. `None` before there are values.
    pub fn snapshot(&self) -> Result<Option<Snapshot>> {
        let _cut = self.cut.write();
        let sums = self.sums.lock();
        let state = self.state.lock();
        let Some(definition) = state.definition.clone().filter(|_| state.ready) else {
            return Ok(None);
        };
        let value = |name: String| self.values.get(&name).map(|value| (name, value));
        let values = self.values.names().into_iter().map(value).collect::<Result<_>>()?;
        let member = |(worker, member): (&u32, &Member)| {
            // What is only in the sums is not in the values: it is to come again.
            let pending = u64::from(sums.workers.contains(worker));
            let (sequence, clock) =
                (member.sequence.saturating_sub(pending), member.clock.saturating_sub(pending));
            (Tag { worker: *worker, incarnation: member.incarnation, sequence }, clock)
        };
        Ok(Some(Snapshot {
            definition,
            version: state.version,
            steps: state.statistics.steps,
            members: state.ledger.members.iter().map(member).collect(),
            values,
        }))
    }

    /// Goes on where a snapshot was taken; only an empty store can.
    pub fn restore(&self, snapshot: Snapshot, now: Instant) -> Result<()> {
        self.define(snapshot.definition)?;
        for (name, value) in snapshot.values {
            self.values.set(&name, value)?;
        }
        let mut state = self.state.lock();
        if state.ready {
            return Err(Status::failed_precondition("this server has values already"));
        }
        state.ready = true;
        state.version = snapshot.version;
        state.statistics.steps = snapshot.steps;
        for (tag, clock) in snapshot.members {
            let member = Member::new(tag.incarnation, tag.sequence, clock, now);
            state.ledger.members.insert(tag.worker, member);
        }
        Ok(())
    }
}

/// How many gradients make an update. The dead use up the backups first.
fn required(workers: u32, backups: u32, gone: u32) -> u32 {
    (workers - backups).min(workers.saturating_sub(gone)).max(1)
}
