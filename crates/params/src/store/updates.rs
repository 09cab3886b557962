//! How pushes become updates.

use downpour_tensor::{Result, Tensor};
use tokio::time::Instant;

use super::{Maybe, State, Store};
use crate::gradient::{Gradient, Named, Update};
use crate::ledger::Turn;
use crate::member::{Receipt, Tag};
use crate::message::{Answer, Push};
use crate::mode::Mode;
use crate::sums::{Olds, Sums};
use crate::values::Values;

/// Stalenesses that are counted one by one.
const HISTOGRAM: usize = 64;

impl<V: Values> Store<V> {
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
            // First who it is: a worker that is not known here must join, and so see that there are no values.
            let known = state.ledger.seen(tag.worker, tag.incarnation, now).map(drop);
            if known.is_err() {
                state.statistics.refused += 1;
            }
            known?;
            if !state.ready {
                return Ok(None);
            }
            match state.ledger.begin(tag, now)? {
                Turn::Busy => return Ok(None),
                Turn::Repeated(receipt) => {
                    state.statistics.repeated += 1;
                    return Ok(Some(self.receipt(tag, receipt)));
                }
                Turn::Begin => mode,
            }
        };
        let applied = self.set(set).and_then(|olds| {
            let updated = self.update(mode, push, gradients, olds.clone());
            if updated.is_err() {
                self.unset(olds);
            }
            updated
        });
        let mut state = self.state.lock();
        let answer = match applied {
            Ok(receipt) => {
                let lost = state.ledger.finish(tag, push.clock, push.used, receipt);
                state.lost(tag.worker, lost);
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

    /// Sets all values or none; what was there before.
    fn set(&self, values: Vec<Named<Tensor>>) -> Result<Olds> {
        let mut olds = Olds::with_capacity(values.len());
        for (name, value) in values {
            let old = self.values.get(&name).ok();
            if let Err(status) = self.values.set(&name, value) {
                self.unset(olds);
                return Err(status);
            }
            olds.push((name, old));
        }
        Ok(olds)
    }

    fn unset(&self, olds: Olds) {
        for (name, old) in olds {
            if let Some(Err(e)) = old.map(|old| self.values.set(&name, old)) {
                tracing::error!("'{name}' does not get its value back: {e}");
            }
        }
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
        olds: Olds,
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
        if let Some(receipt) = self.of_another_step(push) {
            return Ok(receipt);
        }
        sums.add(gradients, push.steps, olds)?;
        let required = {
            let mut state = self.state.lock();
            if let Some(member) = state.ledger.members.get_mut(&push.worker) {
                member.pend();
            }
            required(workers, backups, &state)
        };
        if sums.count >= required {
            return self.complete(&mut sums);
        }
        let state = self.state.lock();
        let (version, steps) = (state.version, state.statistics.steps);
        Ok(Receipt { version, steps, used: true, staleness: 0, next: version + 1 })
    }

    /// What becomes of gradients that do not belong to the step that is next: those of other parameters than
    /// there are now, older ones or such as were lost, and a second one of a worker.
    fn of_another_step(&self, push: &Push) -> Option<Receipt> {
        let mut state = self.state.lock();
        let (version, steps) = (state.version, state.statistics.steps);
        let of_now = push.base == version
            && (push.start == self.incarnation || state.origin == Some((push.start, version)));
        let member = state.ledger.members.get(&push.worker);
        let second = member.is_some_and(|member| member.pending.is_some());
        if of_now && !second {
            return None;
        }
        state.statistics.dropped += 1;
        let staleness = version.saturating_sub(push.base);
        let next = if second { version + 1 } else { version };
        Some(Receipt { version, steps, used: false, staleness, next })
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
        let applied = sums
            .take()
            .and_then(|(averages, steps)| Ok((self.values.apply(averages, steps)?, steps)));
        let base = {
            let mut state = self.state.lock();
            state.ledger.settle();
            state.version
        };
        match applied {
            Ok(((), steps)) => Ok(self.count(base, steps)),
            Err(status) => {
                // The step is void; those who wait for it go on.
                tracing::error!("a step's average cannot be applied: {status}");
                self.state.lock().version += 1;
                Err(status)
            }
        }
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

    /// Nobody waits for those who are out.
    pub(super) fn complete_without_the_gone(&self) -> Result<()> {
        let _cut = self.cut.read();
        let mut sums = self.sums.lock();
        let required = {
            let state = self.state.lock();
            match state.definition.as_ref().map(|definition| definition.mode) {
                Some(Mode::Together { workers, backups }) => required(workers, backups, &state),
                _ => return Ok(()),
            }
        };
        if sums.count > 0 && sums.count >= required {
            self.complete(&mut sums)?;
        }
        Ok(())
    }
}

/// How many gradients make an update. Those who are out use up the backups first.
fn required(workers: u32, backups: u32, state: &State) -> u32 {
    (workers - backups).min(state.ledger.possible(workers)).max(1)
}
