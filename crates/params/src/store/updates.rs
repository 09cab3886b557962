//! How pushes become updates.

use downpour_tensor::{Result, Tensor};
use tokio::time::Instant;

use super::{Maybe, State, Store};
use crate::gradient::{Gradient, Named, Update};
use crate::ledger::Turn;
use crate::member::{Receipt, Tag};
use crate::message::{Answer, Push};
use crate::mode::Mode;
use crate::moving::sizes;
use crate::positions::Begin;
use crate::sums::{Olds, Sums};
use crate::values::Values;

/// Stalenesses that are counted one by one.
const HISTOGRAM: usize = 64;

impl<V: Values> Store<V> {
    /// Applies a worker's gradients, once; `None` if it must be asked again. What `update` returns is unpacked only when it
    /// is that worker's turn: nobody else may have it computed, and variables stay what they are meanwhile.
    pub(crate) fn push(
        &self,
        push: &Push,
        update: impl FnOnce() -> Result<Update>,
        now: Instant,
    ) -> Result<Maybe<Answer>> {
        let tag =
            Tag { worker: push.worker, incarnation: push.incarnation, sequence: push.sequence };
        let _cut = self.cut.read();
        let mode = {
            let mut state = self.state.lock();
            let mode = Self::mode(&state)?;
            state.of_layout(push.epoch)?;
            state.of_recovery(push.recovery)?;
            // First who it is: a worker that is not known here must join, and so see that there are no values.
            let known = state.ledger.seen(tag.worker, tag.incarnation, now).map(drop);
            if known.is_err() {
                state.statistics.refused += 1;
            }
            known?;
            if !state.ready {
                return Ok(None);
            }
            // What has come before is answered, whatever is held.
            let new =
                state.ledger.members.get(&tag.worker).is_none_or(|m| m.sequence < tag.sequence);
            if new && !state.may_take(tag, now) {
                return Ok(None);
            }
            match state.ledger.begin(tag, now)? {
                Turn::Busy => return Ok(None),
                Turn::Repeated(receipt) => {
                    state.statistics.repeated += 1;
                    return Ok(Some(self.receipt(tag, receipt)));
                }
                Turn::Begin => match self.begin(&mut state, tag, push)? {
                    Begin::Yes => mode,
                    Begin::Busy => return Ok(None),
                    Begin::Known => {
                        drop(state);
                        return self.known(mode, tag, push).map(Some);
                    }
                },
            }
        };
        let applied = update().and_then(|update| self.apply(mode, tag, push, update));
        let mut state = self.state.lock();
        if let Some(extent) = push.extent {
            let used = applied.as_ref().is_ok_and(|receipt| receipt.used);
            state.positions.end(extent.into(), used);
            state.statistics.examples += if used { extent.end - extent.start } else { 0 };
        }
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
        let news = state.news(mode);
        drop(state);
        if news {
            self.changed();
        }
        answer
    }

    /// Applies an update whose turn it is: all of it, or nothing that does not stand for itself.
    fn apply(&self, mode: Mode, tag: Tag, push: &Push, update: Update) -> Result<Receipt> {
        let Update { gradients, set } = update;
        // Names that nobody has would stay in the books.
        let mut received = sizes(&gradients);
        received.retain(|(name, _)| self.values.form(name).is_ok());
        self.loads.lock().received(&received);
        let (apart, gradients) =
            gradients.into_iter().partition(|(name, _)| self.values.is_apart(name));
        self.apply_apart(mode, tag, apart)?;
        let olds = self.set(set)?;
        let updated = self.update(mode, push, gradients, olds.clone());
        if updated.is_err() {
            self.unset(olds);
        }
        updated
    }

    /// Applies what does not wait for anybody, unless it was when this push came before: a server that has come back
    /// may have that and not the rest, and a push that failed halfway has done that and not the rest.
    ///
    /// It counts once as long as the server or the worker survives. If both begin anew within one step, and the
    /// server's snapshot was taken in that step, the worker computes its batch again and these come in twice: nobody is
    /// left who knows. What is averaged is not in such a snapshot, and counts once.
    fn apply_apart(&self, mode: Mode, tag: Tag, mut gradients: Vec<Named<Gradient>>) -> Result<()> {
        let done = |state: &State| {
            let member = state.ledger.members.get(&tag.worker);
            member.is_some_and(|member| member.apart >= tag.sequence)
        };
        if gradients.is_empty() || done(&self.state.lock()) {
            return Ok(());
        }
        let share = mode.share_apart();
        if share != 1.0 {
            gradients.iter_mut().try_for_each(|(_, gradient)| gradient.scale(share))?;
        }
        self.timed(gradients, |gradients| self.values.apply_apart(gradients))?;
        if let Some(member) = self.state.lock().ledger.members.get_mut(&tag.worker) {
            member.apart = tag.sequence;
        }
        Ok(())
    }

    /// Whether the positions of a push are to be applied; if not now, its turn is over.
    fn begin(&self, state: &mut State, tag: Tag, push: &Push) -> Result<Begin> {
        let begun = push.extent.map(|extent| state.positions.begin(extent.into()));
        let begun = begun.unwrap_or(Ok(Begin::Yes));
        if !matches!(begun, Ok(Begin::Yes | Begin::Known)) {
            state.ledger.abandon(tag);
        }
        begun
    }

    /// Answers a push of positions that are in the values, or wait to be, as if it had been applied now.
    ///
    /// Where a step is made of everybody's gradients, its worker takes part in the step all the same, with nothing:
    /// every server's step then has the same pushes. A worker that was left out here, and in at another server, would
    /// wait there for somebody who waits for it here.
    fn known(&self, mode: Mode, tag: Tag, push: &Push) -> Result<Answer> {
        let taken = match mode {
            Mode::Together { workers, backups } => self.take_part(workers, backups, push),
            _ => {
                let state = self.state.lock();
                let (version, steps) = (state.version, state.statistics.steps);
                Ok(Receipt { version, steps, used: true, staleness: 0, next: version })
            }
        };
        let mut state = self.state.lock();
        let answer = match taken {
            Ok(receipt) => {
                state.statistics.known += 1;
                let lost = state.ledger.finish(tag, push.clock, push.used, receipt);
                state.lost(tag.worker, lost);
                Ok(self.receipt(tag, receipt))
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

    /// Counts a worker in the open step without a gradient, unless its push is of another step.
    fn take_part(&self, workers: u32, backups: u32, push: &Push) -> Result<Receipt> {
        let mut sums = self.sums.lock();
        let (receipt, required) = {
            let mut state = self.state.lock();
            let (version, steps) = (state.version, state.statistics.steps);
            let receipt = Receipt { version, steps, used: true, staleness: 0, next: version };
            let of_now = self.is_of_now(&state, push);
            let Some(member) = state.ledger.members.get_mut(&push.worker) else {
                return Ok(receipt);
            };
            if member.pending.is_some() {
                return Ok(Receipt { next: version + 1, ..receipt });
            }
            if !of_now {
                return Ok(receipt);
            }
            member.pend();
            (Receipt { next: version + 1, ..receipt }, required(workers, backups, &state))
        };
        sums.add_nothing();
        match sums.present >= required {
            true => self.complete(&mut sums),
            false => Ok(receipt),
        }
    }

    /// Whether gradients are of the parameters that are here.
    fn is_of_now(&self, state: &State, push: &Push) -> bool {
        push.base == state.version
            && (push.start == self.incarnation || state.origin == Some((push.start, state.version)))
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
            self.timed(gradients, |gradients| self.values.apply(gradients, steps))?;
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
            if let Some(extent) = push.extent {
                state.positions.wait(extent.into());
            }
            required(workers, backups, &state)
        };
        if sums.present >= required {
            return self.complete(&mut sums);
        }
        let state = self.state.lock();
        let (version, steps) = (state.version, state.statistics.steps);
        Ok(Receipt { version, steps, used: true, staleness: 0, next: version + 1 })
    }

    /// Applies gradients, and counts the time that takes.
    fn timed(
        &self,
        gradients: Vec<Named<Gradient>>,
        apply: impl FnOnce(Vec<Named<Gradient>>) -> Result<()>,
    ) -> Result<()> {
        let sizes = sizes(&gradients);
        let begun = std::time::Instant::now();
        apply(gradients)?;
        self.loads.lock().applied(&sizes, begun.elapsed());
        Ok(())
    }

    /// What becomes of gradients that do not belong to the step that is next: those of other parameters than
    /// there are now, older ones or such as were lost, and a second one of a worker.
    fn of_another_step(&self, push: &Push) -> Option<Receipt> {
        let mut state = self.state.lock();
        let (version, steps) = (state.version, state.statistics.steps);
        let of_now = self.is_of_now(&state, push);
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
        let applied = sums.take().and_then(|averages| {
            let Some((averages, steps)) = averages else { return Ok(None) };
            self.timed(averages, |averages| self.values.apply(averages, steps))?;
            Ok(Some(steps))
        });
        let base = {
            let mut state = self.state.lock();
            state.ledger.settle();
            state.positions.settle(applied.is_ok());
            state.version
        };
        match applied {
            Ok(Some(steps)) => Ok(self.count(base, steps)),
            // Nobody had a gradient: the step is over, and no update was made.
            Ok(None) => {
                let mut state = self.state.lock();
                state.version += 1;
                let (version, steps) = (state.version, state.statistics.steps);
                Ok(Receipt { version, steps, used: true, staleness: 0, next: version })
            }
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
        if sums.present > 0 && sums.present >= required {
            self.complete(&mut sums)?;
        }
        Ok(())
    }
}

/// How many gradients make an update. Those who are out use up the backups first; those who came on top of all that were
/// expected are waited for like everybody.
fn required(workers: u32, backups: u32, state: &State) -> u32 {
    let possible = state.ledger.possible(workers);
    (workers.max(possible) - backups).min(possible).max(1)
}

#[cfg(test)]
mod tests {
    use crate::incarnation::numbered;
    use bytes::Bytes;
    use downpour_tensor::Status;

    use super::*;
    use crate::message::{ExtentHead, Join, Put};
    use crate::plain::PlainValues;
    use crate::store::{Definition, Limits};

    /// Has a variable that cannot be set.
    struct Picky(PlainValues);

    impl Values for Picky {
        fn define(&self, program: &Bytes) -> Result<()> {
            self.0.define(program)
        }
        fn apply(&self, gradients: Vec<Named<Gradient>>, steps: u64) -> Result<()> {
            self.0.apply(gradients, steps)
        }
        fn get(&self, name: &str) -> Result<Tensor> {
            self.0.get(name)
        }
        fn set(&self, name: &str, value: Tensor) -> Result<()> {
            match name {
                "fixed" => Err(Status::invalid_argument("it cannot be set")),
                _ => self.0.set(name, value),
            }
        }
        fn names(&self) -> Vec<String> {
            self.0.names()
        }
    }

    #[tokio::test]
    async fn an_update_that_fails_halfway_changes_nothing_and_counts_once_when_it_is_repeated() {
        let store = Store::new(Picky(PlainValues::new(1.0)), Limits::default(), 1);
        let (worker, incarnation, now) = (0, numbered(1, 0), Instant::now());
        store.define(Definition { program: Bytes::new(), mode: Mode::AtOnce }).unwrap();
        store.join(&Join { worker, incarnation, ..Join::default() }, now).unwrap();
        let put = Put { ready: true, worker, incarnation, number: 1, ..Put::default() };
        let value = |value: f32| Tensor::vector(&[value]).unwrap();
        let values = vec![("w".to_string(), value(5.0)), ("at".to_string(), value(0.0))];
        store.put(&put, values, now).unwrap();
        let push = Push { worker, incarnation, sequence: 1, steps: 1, ..Push::default() };
        let update = |set: &[&str], gradient: &[f32]| Update {
            gradients: vec![("w".to_string(), Gradient::Dense(Tensor::vector(gradient).unwrap()))],
            set: set.iter().map(|name| (name.to_string(), value(1.0))).collect(),
        };
        let has = |name: &str| store.values().get(name).unwrap().as_slice::<f32>().unwrap()[0];
        // What a stranger sends is not even unpacked.
        let stranger = Push { incarnation: numbered(1, 9), ..push.clone() };
        assert!(store.push(&stranger, || panic!("it was unpacked"), now).is_err());
        assert!(store.push(&push, || Ok(update(&["at", "fixed"], &[1.0])), now).is_err());
        assert_eq!((has("w"), has("at")), (5.0, 0.0));
        // A gradient of a variable that is not here leaves nothing behind.
        let nobody = ("nobody".to_string(), Gradient::Dense(value(1.0)));
        let unknown = Update { gradients: vec![nobody], set: Vec::new() };
        assert!(store.push(&push, || Ok(unknown), now).is_err());
        assert_eq!(store.loads.lock().0.keys().collect::<Vec<_>>(), ["w"]);
        // A gradient that does not fit takes back what was set with it.
        assert!(store.push(&push, || Ok(update(&["at"], &[1.0, 1.0])), now).is_err());
        assert_eq!((has("w"), has("at")), (5.0, 0.0));
        for _ in 0..2 {
            assert!(store.push(&push, || Ok(update(&["at"], &[1.0])), now).unwrap().unwrap().used);
            assert_eq!((has("w"), has("at")), (4.0, 1.0));
        }
        assert_eq!(store.statistics().repeated, 1);
    }

    #[tokio::test]
    async fn a_worker_whose_examples_are_known_takes_part_in_its_step() {
        let store = Store::new(PlainValues::new(1.0), Limits::default(), 1);
        let now = Instant::now();
        let mode = Mode::Together { workers: 2, backups: 0 };
        store.define(Definition { program: Bytes::new(), mode }).unwrap();
        for worker in 0..2 {
            store
                .join(&Join { worker, incarnation: numbered(1, 0), ..Join::default() }, now)
                .unwrap();
        }
        let put = Put { ready: true, incarnation: numbered(1, 0), number: 1, ..Put::default() };
        let value = |value: f32| Tensor::vector(&[value]).unwrap();
        store.put(&put, vec![("w".to_string(), value(5.0))], now).unwrap();
        let push = |worker: u32, sequence: u64, first: u64| {
            let extent = ExtentHead { dataset: 1, data_epoch: 0, start: first, end: first + 1 };
            let (base, extent) = (sequence - 1, Some(extent));
            let push = Push {
                worker,
                incarnation: numbered(1, 0),
                sequence,
                base,
                start: 1,
                steps: 1,
                extent,
                ..Push::default()
            };
            let gradients = vec![("w".to_string(), Gradient::Dense(value(1.0)))];
            store.push(&push, || Ok(Update { gradients, set: Vec::new() }), now).unwrap().unwrap()
        };
        let has = || store.values().get("w").unwrap().as_slice::<f32>().unwrap()[0];
        push(0, 1, 0);
        assert_eq!((push(1, 1, 1).version, has()), (1, 4.0));
        // Its examples are in the values; it waits for the other worker like everybody.
        let known = push(0, 2, 1);
        assert!(known.used && (known.version, known.next) == (1, 2), "{known:?}");
        // The average is over those who had a gradient.
        assert_eq!((push(1, 2, 2).version, has()), (2, 3.0));
        // A step of nothing but known examples is a step, and no update.
        push(0, 3, 0);
        assert_eq!((push(1, 3, 2).version, has()), (3, 3.0));
        let counted = store.statistics();
        assert_eq!((counted.updates, counted.steps, counted.known), (2, 2, 3));
    }
}
