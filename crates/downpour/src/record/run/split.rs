//! Where a worker's time went.

use super::{Run, Task};

/// Seconds of a worker, over all its lives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Split {
    /// Building the graph, waiting for other tasks, initialising, restoring.
    pub start: f64,
    /// Waiting for the next batch.
    pub data: f64,
    /// Running training steps.
    pub step: f64,
    /// Exchanging with other tasks after them, as far as it is known apart from the steps.
    pub exchange: f64,
    /// Measuring the model.
    pub evaluation: f64,
    /// Reading variables for checkpoints.
    pub checkpoint: f64,
    /// What the task did not account for.
    pub other: f64,
}

impl Task {
    /// Where this task's time went.
    pub fn split(&self) -> Split {
        let mut split = Split::default();
        let mut wall = 0.0;
        for life in &self.lives {
            let seconds = &life.seconds;
            wall += life.last - life.first;
            split.start += seconds.start.max(0.0);
            split.data += seconds.data.max(0.0);
            split.step += seconds.step.max(0.0);
            split.exchange += seconds.exchange.unwrap_or(0.0).max(0.0);
            split.evaluation += seconds.evaluation.max(0.0);
            split.checkpoint += seconds.checkpoint.max(0.0);
        }
        split.other = (wall - split.total()).max(0.0);
        split
    }
}

impl Run {
    /// Seconds of all workers for exchanging; none if they cannot be told from those of the steps.
    pub fn exchange_seconds(&self) -> Option<f64> {
        let lives = self.workers().into_iter().flat_map(|task| &task.lives);
        let told = lives.filter(|life| !life.points.is_empty()).map(|life| life.seconds.exchange);
        let mut told = told.peekable();
        told.peek()?;
        told.sum()
    }

    /// Where the time of all workers went.
    pub fn split(&self) -> Split {
        let mut sum = Split::default();
        for task in self.workers() {
            let split = task.split();
            sum.start += split.start;
            sum.data += split.data;
            sum.step += split.step;
            sum.exchange += split.exchange;
            sum.evaluation += split.evaluation;
            sum.checkpoint += split.checkpoint;
            sum.other += split.other;
        }
        sum
    }
}

impl Split {
    /// Seconds at work altogether.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|(_, seconds)| seconds).sum()
    }

    /// The parts with their names, in the order they are shown.
    pub fn parts(&self) -> [(&'static str, f64); 7] {
        [
            ("step", self.step),
            ("exchange", self.exchange),
            ("data", self.data),
            ("evaluation", self.evaluation),
            ("checkpoint", self.checkpoint),
            ("start", self.start),
            ("other", self.other),
        ]
    }

    /// A part's share of the whole, 0 when nothing is known.
    pub fn share(&self, seconds: f64) -> f64 {
        let total = self.total();
        if total > 0.0 { seconds / total } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn what_is_not_accounted_for_is_other() {
        let mut run = Run::default();
        run.take("worker-0", started("worker/0", 0.0, 0, 0));
        run.take("worker-0", progress(20.0, 100, 1000, 0.5));
        let split = run.split();
        assert_eq!((split.start, split.step, split.data, split.other), (1.0, 10.0, 5.0, 4.0));
        assert_eq!(split.share(split.data), 0.25);
        assert_eq!(Split::default().share(0.0), 0.0);
    }
}
