//! How fast a run is: now, on the whole, and how long it will take.

use super::{Life, Point, Run, Task, Time};

/// A rate "now" is measured over at least this many seconds, so that it does not flicker.
const WINDOW: f64 = 5.0;
/// A task that says nothing for this long (and for several of its usual intervals) is silent.
const SILENCE: f64 = 15.0;

impl Life {
    /// The latest point at least a window before the last one.
    fn window(&self) -> Option<&Point> {
        let last = self.points.last()?;
        self.points.iter().rev().find(|point| last.time - point.time >= WINDOW)
    }

    /// Examples per second, lately; in the beginning, since training began.
    fn examples_per_second(&self) -> Option<f64> {
        let last = self.points.last()?;
        let (time, examples) =
            self.window().map_or((self.ready(), 0), |point| (point.time, point.examples));
        let seconds = last.time - time;
        (seconds > 0.0).then(|| last.examples.saturating_sub(examples) as f64 / seconds)
    }

    /// Global steps per second, lately. Only between two reports: while a worker starts, others may train.
    fn steps_per_second(&self) -> Option<f64> {
        let (first, last) = (self.window().or(self.points.first())?, self.points.last()?);
        let seconds = last.time - first.time;
        (seconds > 0.0).then(|| last.step.saturating_sub(first.step).max(0) as f64 / seconds)
    }
}

impl Task {
    /// Neither finished nor silent for long.
    pub fn active(&self, now: Time) -> bool {
        self.lives.last().is_some_and(|life| life.finished.is_none()) && self.silence(now).is_none()
    }

    /// How long nothing was heard of a task that is expected to tell of its progress.
    pub fn silence(&self, now: Time) -> Option<f64> {
        let life = self.lives.last().filter(|life| life.finished.is_none())?;
        let usual = match life.points.len() {
            0 | 1 => return None,
            count => (life.points[count - 1].time - life.points[0].time) / (count - 1) as f64,
        };
        let silent = now - life.last;
        (silent > SILENCE.max(4.0 * usual)).then_some(silent)
    }

    /// Examples per second, lately; nothing before the first progress of its latest life.
    pub fn examples_per_second(&self) -> Option<f64> {
        self.lives.last()?.examples_per_second()
    }

    /// Examples per second of the time it trained, over all lives.
    pub fn mean_examples_per_second(&self) -> Option<f64> {
        let trained =
            self.lives.iter().filter_map(|life| Some(life.points.last()?.time - life.ready()));
        let seconds: f64 = trained.sum();
        (seconds > 0.0).then(|| self.examples() as f64 / seconds)
    }
}

impl Run {
    /// Examples per second of all workers that are at work.
    pub fn examples_per_second(&self, now: Time) -> f64 {
        let active = self.tasks.iter().filter(|task| task.active(now));
        active.filter_map(Task::examples_per_second).sum()
    }

    /// Examples per second of the run's own time, from the first training step to the last.
    pub fn mean_examples_per_second(&self) -> Option<f64> {
        let lives = || {
            self.tasks.iter().flat_map(|task| &task.lives).filter(|life| !life.points.is_empty())
        };
        let from = lives().map(Life::ready).reduce(f64::min)?;
        let to = lives()
            .filter_map(|life| life.points.last())
            .map(|point| point.time)
            .reduce(f64::max)?;
        let clock = self.clock();
        let seconds = clock.elapsed(to) - clock.elapsed(from);
        (seconds > 0.0).then(|| self.examples() as f64 / seconds)
    }

    /// Global steps per second, lately: every worker sees the same steps, so the median of what they see.
    pub fn steps_per_second(&self, now: Time) -> Option<f64> {
        let active = self.tasks.iter().filter(|task| task.active(now));
        let mut seen: Vec<f64> =
            active.filter_map(|task| task.lives.last()?.steps_per_second()).collect();
        seen.sort_by(f64::total_cmp);
        seen.get(seen.len() / 2).copied()
    }

    /// Seconds until the target step, if there is one and the run comes nearer to it.
    pub fn seconds_left(&self, now: Time) -> Option<f64> {
        let left = self.target_step()?.saturating_sub(self.step());
        let speed = self.steps_per_second(now)?;
        match left {
            ..=0 => Some(0.0),
            _ => (speed > 0.0).then(|| left as f64 / speed),
        }
    }

    /// The mean of the workers' latest losses.
    pub fn loss(&self) -> Option<f64> {
        let latest = self.tasks.iter().filter_map(Task::last_point).map(|point| point.loss);
        let (count, sum) = latest.fold((0, 0.0), |(count, sum), loss| (count + 1, sum + loss));
        (count > 0).then(|| sum / f64::from(count))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    fn two_workers() -> Run {
        let mut run = Run::default();
        for (file, task) in [("worker-0", "worker/0"), ("worker-1", "worker/1")] {
            run.take(file, started(task, 0.0, 0, 0));
            for second in 2..=11_u32 {
                let time = f64::from(second);
                run.take(
                    file,
                    progress(time, 20 * i64::from(second - 1), u64::from(second - 1) * 640, 0.5),
                );
            }
        }
        run
    }

    #[test]
    fn rates_add_up_over_workers_and_steps_do_not() {
        let run = two_workers();
        assert_eq!(run.examples_per_second(12.0), 1280.0);
        assert_eq!(run.mean_examples_per_second(), Some(1280.0));
        assert_eq!(run.steps_per_second(12.0), Some(20.0));
        assert_eq!(run.seconds_left(12.0), Some(40.0));
    }

    #[test]
    fn silent_and_finished_workers_do_not_count() {
        let mut run = two_workers();
        run.take("worker-1", finished(11.5, 200, "stopped by a signal"));
        assert_eq!(run.examples_per_second(12.0), 640.0);
        assert_eq!(run.examples_per_second(100.0), 0.0);
        assert_eq!(run.seconds_left(100.0), None);
        assert_eq!(run.workers()[0].silence(100.0), Some(89.0));
    }

    #[test]
    fn a_restart_measures_anew() {
        let mut run = two_workers();
        run.take("worker-0", started("worker/0", 13.0, 200, 1));
        assert_eq!(run.examples_per_second(13.0), 640.0);
        run.take("worker-0", progress(16.0, 220, 1000, 0.5));
        assert_eq!(run.workers()[0].examples_per_second(), Some(500.0));
        assert_eq!(run.workers()[0].mean_examples_per_second(), Some(7400.0 / 12.0));
    }

    #[test]
    fn nothing_is_known_before_the_first_progress() {
        let mut run = Run::default();
        assert_eq!(
            (run.seconds_left(0.0), run.mean_examples_per_second(), run.loss()),
            (None, None, None)
        );
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        assert_eq!(
            (run.seconds_left(1.0), run.mean_examples_per_second(), run.loss()),
            (None, None, None)
        );
    }
}
