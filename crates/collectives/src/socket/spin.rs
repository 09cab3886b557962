//! Whether looking again before sleeping pays.
//!
//! On a quiet machine it does: a peer's answer is there sooner than a sleeper wakes. On one whose processors have
//! other work it does not: who gives its processor away gets it back only when somebody else's time is up, a
//! thousand times later, while a sleeper that is woken goes first. A yield that took long tells the two apart;
//! after one, exchanges sleep at once for a while, which doubles each time it happens again.

use std::time::{Duration, Instant};

/// How long to look again before sleeping.
const SPIN: Duration = Duration::from_micros(50);
/// A yield that takes longer went to somebody who computes.
const LONG: Duration = Duration::from_micros(200);
/// Exchanges that sleep at once after the first long yield, and at most.
const PAUSES: (u32, u32) = (64, 1 << 16);

/// What is known about it.
pub(super) struct Spin {
    /// Exchanges that are still to sleep at once.
    rest: u32,
    /// How many it will be after the next long yield.
    next: u32,
}

impl Default for Spin {
    fn default() -> Spin {
        Spin { rest: 0, next: PAUSES.0 }
    }
}

impl Spin {
    /// Called once per exchange.
    pub fn begin(&mut self) {
        self.rest = self.rest.saturating_sub(1);
    }

    /// Gives the processor away once if that may help; false if it is time to sleep. `waited` is how long
    /// nothing has moved.
    pub fn turn(&mut self, waited: Duration) -> bool {
        if self.rest > 0 || waited >= SPIN {
            return false;
        }
        let begun = Instant::now();
        rustix::thread::sched_yield();
        self.learn(begun.elapsed());
        true
    }

    fn learn(&mut self, taken: Duration) {
        if taken > LONG {
            self.rest = self.next;
            self.next = (self.next * 2).min(PAUSES.1);
        } else if self.next > PAUSES.0 {
            self.next -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_yield_stops_spinning_for_a_while() {
        let mut spin = Spin::default();
        assert!(!spin.turn(SPIN));
        spin.learn(LONG * 2);
        let mut exchanges = 0;
        while spin.rest > 0 {
            assert!(!spin.turn(Duration::ZERO));
            spin.begin();
            exchanges += 1;
        }
        assert_eq!(exchanges, PAUSES.0);
        spin.learn(LONG * 2);
        assert_eq!(spin.rest, 2 * PAUSES.0);
        (0..100).for_each(|_| spin.learn(LONG * 2));
        assert_eq!(spin.rest, PAUSES.1);
    }
}
