//! A condition with hysteresis in value and in time.

use std::time::Duration;

/// Raised once its condition has held long enough, lowered once it has been clearly over for as long.
#[derive(Clone, Debug, Default)]
pub struct Latch {
    raised: bool,
    /// The condition for the other state holds since.
    since: Option<Duration>,
    /// Somebody has acted on it.
    handled: bool,
}

/// What became of a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// As it was.
    Same,
    /// It was raised now.
    Raised,
    /// It was lowered now.
    Lowered,
}

impl Latch {
    /// One look: whether the value is beyond the limit, and whether it is clearly back.
    pub fn look(&mut self, beyond: bool, back: bool, now: Duration, hold: Duration) -> Turn {
        let turning = if self.raised { back } else { beyond };
        if !turning {
            self.since = None;
            return Turn::Same;
        }
        let since = *self.since.get_or_insert(now);
        if now.saturating_sub(since) < hold {
            return Turn::Same;
        }
        self.raised = !self.raised;
        self.since = None;
        self.handled = false;
        if self.raised { Turn::Raised } else { Turn::Lowered }
    }

    pub fn is_raised(&self) -> bool {
        self.raised
    }

    /// Raised, and nobody has acted on it.
    pub fn is_open(&self) -> bool {
        self.raised && !self.handled
    }

    pub fn handle(&mut self) {
        self.handled = true;
    }
}
