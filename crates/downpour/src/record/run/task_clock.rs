//! A task's time, whose clock may be set back while it works or between two of its starts.

use super::Time;

/// Smaller steps back are of threads that write at the same time.
const BACK: f64 = 1.0;

/// Makes the times in one task's file go forward: its lines are in the order in which things happened, whatever the clock
/// said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TaskClock {
    latest: Option<Time>,
    /// By how much the clock was set back, in all.
    behind: f64,
}

impl TaskClock {
    /// Returns the time of the next line, whose clock shows `time`.
    pub fn forward(&mut self, time: Time) -> Time {
        if !time.is_finite() {
            return time;
        }
        let latest = self.latest.unwrap_or(time);
        let mut time = time + self.behind;
        if time < latest - BACK {
            self.behind += latest - time;
            time = latest;
        }
        self.latest = Some(latest.max(time));
        time
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{Outcome, Run};
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_goes_on() {
        let mut clock = TaskClock::default();
        let shown = [100.0, 101.0, 100.9, 50.0, 51.0, 20.0, 22.0, 500.0];
        let times = shown.map(|time| clock.forward(time));
        assert_eq!(times, [100.0, 101.0, 100.9, 101.0, 102.0, 102.0, 104.0, 582.0]);
    }

    #[test]
    fn a_run_whose_chiefs_clock_is_set_back_has_its_last_step() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 5000.0, 0, 0));
        run.take("worker-0", progress(5010.0, 700, 700, 0.5));
        run.take("worker-0", started("worker/0", 5020.0, 400, 1));
        run.take("worker-0", progress(1420.0, 1000, 600, 0.1));
        run.take("worker-0", finished(1421.0, 1000, "reached step 1000"));
        assert_eq!(run.step(), 1000);
        assert!(matches!(run.outcome(), Outcome::Ended { .. }));
    }
}
