//! How quick and how busy a worker is, as it tells the coordinator: what decisions to add or drop workers rest on.

use std::time::{Duration, Instant};

use downpour_coordinator::message::Measurements;

use crate::training::exchange::Toll;

/// Over how long is measured.
const MEASURED: Duration = Duration::from_secs(1);
/// What a measurement weighs beside those before it: a moment in which a machine was busy otherwise says little.
const WEIGHT: f64 = 0.3;

/// Measures again and again, and smooths.
pub(super) struct Pace {
    /// When it was measured last, and what there was then.
    at: Instant,
    toll: Toll,
    idle: Duration,
    examples: u64,
    smooth: Option<Measurements>,
}

impl Pace {
    pub fn new() -> Pace {
        let (toll, idle) = (Toll::default(), Duration::ZERO);
        Pace { at: Instant::now(), toll, idle, examples: 0, smooth: None }
    }

    /// What there is now to tell, if it is time: from the toll of this session so far, and how long there was no data
    /// and how many examples servers have answered in all.
    pub fn look(
        &mut self,
        now: Instant,
        toll: Toll,
        idle: Duration,
        examples: u64,
    ) -> Option<Measurements> {
        let passed = now.saturating_duration_since(self.at);
        if passed < MEASURED {
            return None;
        }
        // Another session begins with nothing.
        let before = if toll.pushes < self.toll.pushes { Toll::default() } else { self.toll };
        let seconds = passed.as_secs_f64();
        let waited = toll.waited.saturating_sub(before.waited) + idle.saturating_sub(self.idle);
        let (pushes, stale) =
            (toll.pushes - before.pushes, toll.stale.saturating_sub(before.stale));
        let new = Measurements {
            examples_per_second: examples.saturating_sub(self.examples) as f64 / seconds,
            waiting_share: (waited.as_secs_f64() / seconds).clamp(0.0, 1.0),
            staleness: stale as f64 / pushes.max(1) as f64,
        };
        (self.at, self.toll, self.idle, self.examples) = (now, toll, idle, examples);
        let mix = |old: f64, new: f64| old + WEIGHT * (new - old);
        let smooth = self.smooth.map_or(new, |old| Measurements {
            examples_per_second: mix(old.examples_per_second, new.examples_per_second),
            waiting_share: mix(old.waiting_share, new.waiting_share),
            staleness: mix(old.staleness, new.staleness),
        });
        self.smooth = Some(smooth);
        self.smooth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Duration = Duration::ZERO;

    fn toll(waited: f64, pushes: u64, stale: u64) -> Toll {
        Toll { waited: Duration::from_secs_f64(waited), pushes, stale }
    }

    #[test]
    fn what_changed_is_told_once_a_while_and_smoothed() {
        let mut pace = Pace::new();
        let start = pace.at;
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        assert_eq!(pace.look(at(0.5), toll(0.1, 1, 1), NEVER, 10), None);
        let first =
            pace.look(at(2.0), toll(0.25, 10, 30), Duration::from_millis(250), 200).unwrap();
        assert_eq!(first.examples_per_second, 100.0);
        assert_eq!((first.waiting_share, first.staleness), (0.25, 3.0));
        // From 100 to 200 examples a second, from a quarter to all of the time, from 3 to 13 updates.
        let second =
            pace.look(at(3.0), toll(0.75, 20, 160), Duration::from_millis(750), 400).unwrap();
        assert!((second.examples_per_second - 130.0).abs() < 1e-9, "{second:?}");
        assert!((second.waiting_share - 0.475).abs() < 1e-9, "{second:?}");
        assert!((second.staleness - 6.0).abs() < 1e-9, "{second:?}");
        // A session that was lost takes what it had counted with it.
        let third = pace.look(at(4.0), toll(0.2, 2, 12), Duration::from_millis(750), 500).unwrap();
        assert!((third.waiting_share - (0.475 + 0.3 * (0.2 - 0.475))).abs() < 1e-9, "{third:?}");
        assert!((third.staleness - 6.0).abs() < 1e-9, "{third:?}");
    }
}
