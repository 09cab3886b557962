//! Values for those who ask.

use downpour_tensor::{Result, Tensor};
use tokio::time::Instant;

use super::{Store, Wanted};
use crate::gradient::Named;
use crate::message::{Answer, Pull};
use crate::mode::Mode;
use crate::values::Values;

impl<V: Values> Store<V> {
    /// Whether a worker may have the parameters for its next step.
    pub(crate) fn may_pull(&self, pull: &Pull, now: Instant) -> Result<bool> {
        let mut state = self.state.lock();
        let mode = Self::mode(&state)?;
        state.of_layout(pull.epoch)?;
        state.of_recovery(pull.recovery)?;
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
    pub(crate) fn pull(&self, pull: &Pull, rows: Vec<Named<Tensor>>) -> Result<(Answer, Wanted)> {
        let _here = self.switching.read();
        let together = {
            let state = self.state.lock();
            // They may have moved, or gone back, since they were asked for.
            state.of_layout(pull.epoch)?;
            state.of_recovery(pull.recovery)?;
            matches!(Self::mode(&state)?, Mode::Together { .. })
        };
        let _whole = together.then(|| self.sums.lock());
        // Before the values: they may be newer than this says, never older.
        let answer = self.answer(&self.state.lock());
        let names = match pull.names.is_empty() && !pull.exactly {
            true => self.values.names(),
            false => pull.names.clone(),
        };
        let value = |name: String| self.values.get(&name).map(|value| (name, value));
        let some = |(name, numbers): Named<Tensor>| {
            self.values.rows(&name, &numbers).map(|rows| (name, rows))
        };
        let whole = names.into_iter().map(value).collect::<Result<Vec<_>>>()?;
        let rows = rows.into_iter().map(some).collect::<Result<Vec<_>>>()?;
        self.loads.lock().sent(whole.iter().chain(&rows));
        Ok((answer, Wanted { whole, rows }))
    }
}
