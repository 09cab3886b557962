//! Who takes part: coming, going, signs of life.

use downpour_tensor::Result;
use tokio::time::Instant;

use super::{Maybe, Store};
use crate::incarnation::{number, numbered};
use crate::ledger::Joining;
use crate::message::{Answer, Join, Leave};
use crate::values::Values;

impl<V: Values> Store<V> {
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

    pub(crate) fn join(&self, join: &Join, now: Instant) -> Result<Maybe<Answer>> {
        let Join { worker, incarnation, beat, epoch, .. } = *join;
        let mut state = self.state.lock();
        Self::mode(&state)?;
        if beat {
            state.ledger.seen(worker, incarnation, now)?;
            return Ok(Some(Answer { incarnation, ..self.answer(&state) }));
        }
        state.of_layout(epoch)?;
        let known = state.ledger.members.get(&worker).map(|m| m.incarnation);
        let lives = |incarnation| self.attendance.has(worker.into(), incarnation);
        let place = match state.ledger.join(join, lives, now)? {
            Joining::Joined(place) => place,
            Joining::NotYet => return Ok(None),
            Joining::Behind(number) => {
                let incarnation = numbered(number, 0);
                return Ok(Some(Answer { again: true, incarnation, ..self.answer(&state) }));
            }
        };
        if known != Some(place.incarnation) {
            tracing::info!("worker {worker} takes part (start {})", number(place.incarnation));
        }
        state.lost(worker, place.lost);
        let answer = Answer {
            incarnation: place.incarnation,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::Mode;
    use crate::moving::messages::Hold;
    use crate::store::holding::tests::ready_store;

    #[tokio::test]
    async fn the_token_of_a_worker_is_told_to_nobody() {
        let store = ready_store(Mode::AtOnce);
        let now = Instant::now();
        let secret = numbered(3, 0x5ec2e7);
        let join = |incarnation: u64| Join { worker: 1, incarnation, ..Join::default() };
        store.join(&join(secret), now).unwrap();
        // Whoever is behind gets to know the number to ask beyond.
        let behind = store.join(&join(numbered(1, 9)), now).unwrap().unwrap();
        assert!(behind.again);
        assert_eq!(behind.incarnation, numbered(3, 0));
        let hold = Hold { begin: true, milliseconds: 1000, last: Vec::new() };
        for reply in [store.look(0, now), store.hold(7, &hold, now).unwrap()] {
            let known: Vec<u64> = reply.last.iter().map(|last| last.incarnation).collect();
            assert_eq!(known, [numbered(1, 0), numbered(3, 0)]);
        }
    }
}
