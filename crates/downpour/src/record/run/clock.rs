//! The run's own time: how long tasks have been at work, without the nights between a stop and `--resume`.

use super::{Run, Time};

/// Shorter gaps are restarts of a supervisor and count as time of the run.
const GAP: f64 = 10.0;

/// When the run was at work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    spans: Vec<(Time, Time)>,
}

impl Run {
    /// The run's own time.
    pub fn clock(&self) -> Clock {
        let lives = self.tasks.iter().flat_map(|task| &task.lives);
        let mut spans: Vec<(Time, Time)> = lives.map(|life| (life.first, life.last)).collect();
        spans.retain(|(from, to)| from.is_finite() && to.is_finite());
        spans.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut merged: Vec<(Time, Time)> = Vec::new();
        for (from, to) in spans {
            match merged.last_mut() {
                Some(last) if from <= last.1 + GAP => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        Clock { spans: merged }
    }
}

impl Clock {
    /// Seconds of the run until `time`.
    pub fn elapsed(&self, time: Time) -> f64 {
        let until = self.spans.iter().take_while(|(from, _)| *from <= time);
        until.map(|(from, to)| time.min(*to) - from).sum()
    }

    /// Seconds of the whole run.
    pub fn total(&self) -> f64 {
        self.spans.iter().map(|(from, to)| to - from).sum()
    }

    /// The moments (in seconds of the run) at which it was taken up again after a pause.
    pub fn pauses(&self) -> Vec<f64> {
        self.spans.iter().skip(1).map(|(from, _)| self.elapsed(*from)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn a_night_between_two_sittings_does_not_count() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 1000.0, 0, 0));
        run.take("worker-0", progress(1060.0, 100, 10, 1.0));
        run.take("worker-1", started("worker/1", 1064.0, 0, 0));
        run.take("worker-0", started("worker/0", 9000.0, 100, 0));
        run.take("worker-0", progress(9036.0, 200, 10, 1.0));
        let clock = run.clock();
        assert_eq!(clock.total(), 64.0 + 36.0);
        assert_eq!(
            [900.0, 1030.0, 5000.0, 9010.0].map(|time| clock.elapsed(time)),
            [0.0, 30.0, 64.0, 74.0]
        );
        assert_eq!(clock.pauses(), [64.0]);
    }
}
