//! Examples per second, smoothed.

use std::time::Duration;

/// Shorter stretches are added up first: a clock's grain is not a speed.
const SHORTEST: Duration = Duration::from_millis(50);

/// How quickly a member works while it has work.
#[derive(Debug)]
pub(crate) struct Speed {
    rate: Option<f64>,
    /// Examples since `mark`.
    examples: u64,
    mark: Duration,
}

impl Speed {
    pub fn new(now: Duration) -> Speed {
        Speed { rate: None, examples: 0, mark: now }
    }

    /// The time up to now does not count.
    pub fn pause(&mut self, now: Duration) {
        self.examples = 0;
        self.mark = now;
    }

    /// So many examples since the last time. Old stretches weigh less: one that ended `smoothing` ago 1/e.
    pub fn did(&mut self, examples: u64, now: Duration, smoothing: Duration) {
        self.examples = self.examples.saturating_add(examples);
        let stretch = now.saturating_sub(self.mark);
        if stretch < SHORTEST {
            return;
        }
        let measured = self.examples as f64 / stretch.as_secs_f64();
        let weight = 1.0 - (-stretch.as_secs_f64() / smoothing.as_secs_f64().max(1e-3)).exp();
        self.rate = Some(match self.rate {
            Some(rate) => rate + weight * (measured - rate),
            None => measured,
        });
        self.pause(now);
    }

    pub fn rate(&self) -> Option<f64> {
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_follows_what_is_done_and_does_not_jump() {
        let second = |s: f64| Duration::from_secs_f64(s);
        let mut speed = Speed::new(second(0.0));
        assert_eq!(speed.rate(), None);
        speed.did(100, second(1.0), second(10.0));
        assert_eq!(speed.rate(), Some(100.0));
        speed.did(20, second(2.0), second(10.0));
        let after_one = speed.rate().unwrap();
        assert!((90.0..95.0).contains(&after_one), "{after_one}");
        for i in 3..60 {
            speed.did(20, second(i as f64), second(10.0));
        }
        let after_many = speed.rate().unwrap();
        assert!((20.0..21.0).contains(&after_many), "{after_many}");
        // Idle time is not slowness.
        speed.pause(second(1000.0));
        speed.did(20, second(1001.0), second(10.0));
        assert!((20.0..21.0).contains(&speed.rate().unwrap()));
        // Nothing is lost in stretches too short to measure.
        speed.did(10, second(1001.01), second(10.0));
        speed.did(10, second(1002.0), second(10.0));
        assert!((20.0..21.0).contains(&speed.rate().unwrap()));
    }
}
