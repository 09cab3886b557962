//! `[sandblaster]` of a job: what it says for the case that it is trained with that strategy.
//!
//! A job is written for one strategy and run with any. Most count steps in batches; a step of Sandblaster goes over all
//! of the data, so the same number would be thousands of times as much work. It has a number of its own here.

use downpour_tensor::Result;
use serde::{Deserialize, Serialize};

use super::job::Job;
use super::mistake::Text;
use super::strategy::StrategyName;

/// Iterations of a job that says nothing of them.
pub const ITERATIONS: i64 = 200;

/// L-BFGS over all of the data; other strategies take no notice of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SandblasterTable {
    /// Steps to train to, each of them over all of the data; goes before `steps` in `[train]`. Without it `steps` of a job
    /// that is written for Sandblaster, and 200 of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<i64>,
    /// Steps the servers remember.
    pub history: usize,
    /// Times the sum of the parameters' squares is added to the loss.
    pub l2: f64,
}

impl Default for SandblasterTable {
    fn default() -> SandblasterTable {
        SandblasterTable { iterations: None, history: 10, l2: 0.0 }
    }
}

impl SandblasterTable {
    pub fn check(&self, place: &Text<'_>) -> Result<()> {
        if self.iterations.is_some_and(|iterations| iterations < 1) {
            return Err(place.at_key("iterations", "in [sandblaster] must be at least 1"));
        }
        if self.history > 1000 {
            return Err(
                place.at_key("history", "in [sandblaster] must be at most 1000; 5 to 20 are usual")
            );
        }
        if !(self.l2.is_finite() && self.l2 >= 0.0) {
            return Err(place.at_key("l2", "in [sandblaster] must be a number from 0 up"));
        }
        Ok(())
    }

    /// For `skip_serializing_if`.
    pub fn is_usual(&self) -> bool {
        *self == SandblasterTable::default()
    }
}

/// Makes a job's steps those of Sandblaster, if that is its strategy: `asked` on the command line, or the job's own
/// number of iterations. `written_for` is the strategy that `[train]` counts for.
pub fn count_iterations(job: &mut Job, written_for: StrategyName, asked: Option<i64>) {
    if job.cluster.strategy != StrategyName::Sandblaster {
        return;
    }
    let usual = match written_for {
        StrategyName::Sandblaster => job.train.steps,
        _ => ITERATIONS,
    };
    let steps = asked.or(job.sandblaster.iterations).unwrap_or(usual);
    job.sandblaster.iterations = Some(steps);
    let before = std::mem::replace(&mut job.train.steps, steps).max(1);
    if written_for != StrategyName::Sandblaster {
        // As often in all of training.
        let scaled = |every: i64| (every as f64 * steps as f64 / before as f64).round() as i64;
        let train = &mut job.train;
        for every in [&mut train.evaluate_every, &mut train.checkpoint_every] {
            if *every > 0 {
                *every = scaled(*every).max(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::ready;

    fn counted(change: impl FnOnce(&mut Job), asked: Option<i64>) -> (i64, i64) {
        let mut job = ready::open("mnist-mlp").unwrap();
        let written_for = job.cluster.strategy;
        job.cluster.strategy = StrategyName::Sandblaster;
        change(&mut job);
        count_iterations(&mut job, written_for, asked);
        // What is written down and read again is the same.
        let job = Job::parse(&job.to_text().unwrap(), "test").unwrap();
        assert_eq!(job.sandblaster.iterations, Some(job.train.steps));
        (job.train.steps, job.train.evaluate_every)
    }

    #[test]
    fn steps_of_batches_are_none_of_sandblaster() {
        assert_eq!(counted(|job| job.sandblaster.iterations = None, None), (ITERATIONS, 33));
        assert_eq!(counted(|job| job.sandblaster.iterations = Some(60), None), (60, 10));
        assert_eq!(counted(|job| job.sandblaster.iterations = Some(60), Some(30)), (30, 5));
    }

    #[test]
    fn a_job_that_is_written_for_it_says_so_itself() {
        let mut job = ready::open("mnist-mlp").unwrap();
        (job.cluster.strategy, job.train.steps) = (StrategyName::Sandblaster, 8);
        job.sandblaster.iterations = None;
        count_iterations(&mut job, StrategyName::Sandblaster, None);
        assert_eq!((job.train.steps, job.train.evaluate_every), (8, 1000));
        let mut other = ready::open("mnist-mlp").unwrap();
        let before = other.train.steps;
        count_iterations(&mut other, StrategyName::Asynchronous, None);
        assert_eq!(other.train.steps, before);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let job = ready::open("mnist-mlp").unwrap();
        for (wrong, key) in
            [("l2 = -1.0", "l2"), ("iterations = 0", "iterations"), ("history = 2000", "history")]
        {
            let mut job = job.clone();
            job.sandblaster = SandblasterTable::default();
            let text = format!("{}\n[sandblaster]\n{wrong}\n", job.to_text().unwrap());
            let refused = Job::parse(&text, "test").unwrap_err();
            assert!(refused.message().contains(key), "{refused}");
        }
    }
}
