//! One job for every way, such that all of them see the same number of examples.
//!
//! Sandblaster is the exception: a few passes over the data say nothing of it. Unless somebody asks for a number of
//! batches it makes the iterations of its own that it needs.
//!
//! A step is a batch of one worker, a batch of every worker or all of the data, as the strategy has it. What the
//! job says in steps (how long, evaluations, schedules of the learning rate) is turned into batches first, and
//! for each way into its own steps.

use downpour_tensor::{Result, Status};

use super::way::Way;
use crate::train::data;
use crate::train::job::Job;
use crate::train::sandblaster::ITERATIONS;
use crate::train::strategy::{ClusterTable, Takes};

/// Evaluations of a run: enough for a curve, too few to matter.
const FEWEST: i64 = 4;
const MOST: i64 = 20;

/// What is trained, whoever does it.
pub struct Plan {
    job: Job,
    /// Batches to train on.
    batches: i64,
    /// Somebody asked for so many.
    asked: bool,
    /// Batches of one of the job's own steps.
    own: f64,
    evaluations: i64,
    /// Batches of all training data; counted when a way needs it.
    whole: Option<f64>,
}

impl Plan {
    /// `job` as its file says it, which is what its steps are meant for; then what flags change.
    pub fn new(mut job: Job, batches: Option<i64>, change: impl FnOnce(&mut Job)) -> Result<Plan> {
        let table = job.cluster.clone();
        let mut whole = None;
        let own = batches_of_step(&table, &mut whole, &job)?;
        let total = batches.unwrap_or((job.train.steps as f64 * own).round() as i64);
        if total < 1 {
            return Err(Status::invalid_argument("--steps must be at least 1"));
        }
        let evaluations = match job.train.evaluate_every {
            1.. => (job.train.steps / job.train.evaluate_every).clamp(FEWEST, MOST),
            _ => FEWEST,
        };
        change(&mut job);
        // Batches may have become of another size.
        Ok(Plan { job, batches: total, asked: batches.is_some(), own, evaluations, whole: None })
    }

    /// The job's name.
    pub fn name(&self) -> &str {
        &self.job.name
    }

    /// The job for one way.
    pub fn job(&mut self, way: &Way) -> Result<Job> {
        let mut job = self.job.clone();
        job.name = way.folder();
        job.cluster = way.cluster(&self.job.cluster)?;
        let takes = batches_of_step(&job.cluster, &mut self.whole, &job)?;
        let mut steps = (self.batches as f64 / takes).round() as i64;
        if job.cluster.strategy.step_takes() == Takes::AllData {
            // Before its first step it looks at all of the data once.
            let as_many = self.asked.then_some(steps - 1);
            let own = job.sandblaster.iterations.unwrap_or(ITERATIONS);
            steps = way.iterations.or(as_many).unwrap_or(own).max(1);
            job.sandblaster.iterations = Some(steps);
        }
        let train = &mut job.train;
        train.steps = steps.max(1);
        train.evaluate_every = (train.steps / self.evaluations).max(1);
        train.checkpoint_every = train.steps;
        (train.keep_best, train.early_stopping) = (None, None);
        (train.profile_at, train.histograms) = (None, false);
        let tables = std::iter::once(&mut job.optimizer).chain(job.optimizer_for.values_mut());
        for schedule in tables.filter_map(|table| table.schedule.as_mut()) {
            schedule.with_larger_steps(takes / self.own);
        }
        Job::parse(&job.to_text()?, &format!("the job for {}", way.name))
    }
}

/// Batches one global step takes.
fn batches_of_step(cluster: &ClusterTable, whole: &mut Option<f64>, job: &Job) -> Result<f64> {
    Ok(match cluster.strategy.step_takes() {
        Takes::Batch => 1.0,
        // Those of backups do not count, or not in this step.
        Takes::BatchOfEach => {
            f64::from(cluster.workers.saturating_sub(cluster.backups.unwrap_or(0)).max(1))
        }
        Takes::AllData => match *whole {
            Some(known) => known,
            None => *whole.insert(data::batches(&job.data)?.max(1) as f64),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::optimizer::ScheduleTable;
    use crate::train::ready;

    fn steps_of(job: &Job) -> (i64, i64, i64) {
        let Some(ScheduleTable::Exponential { steps, .. }) = &job.optimizer.schedule else {
            panic!("{:?}", job.optimizer.schedule)
        };
        (job.train.steps, job.train.evaluate_every, *steps)
    }

    #[test]
    fn all_ways_see_as_many_examples() {
        let job = ready::open("mnist-mlp").unwrap();
        let mut plan =
            Plan::new(job, None, |job| (job.cluster.ps, job.cluster.workers) = (2, 4)).unwrap();
        let mut of = |name: &str| plan.job(&Way::parse(name).unwrap()).unwrap();
        assert_eq!(steps_of(&of("local")), (6000, 1000, 1500));
        assert_eq!(steps_of(&of("asynchronous")), (6000, 1000, 1500));
        assert_eq!(steps_of(&of("synchronous")), (1500, 250, 375));
        assert_eq!(steps_of(&of("synchronous+backups:1")), (2000, 333, 500));
        assert_eq!(steps_of(&of("all_reduce+int8")), (1500, 250, 375));
        let own = ready::open("mnist-mlp").unwrap().sandblaster.iterations.unwrap_or(ITERATIONS);
        assert_eq!(of("sandblaster").train.steps, own);
        assert_eq!(of("sandblaster+iterations:60").train.steps, 60);
        assert_eq!(of("downpour+top-k:0.01").name, "downpour+top-k-0.01");
    }

    #[test]
    fn who_asks_for_batches_gets_as_many_examples_of_sandblaster_too() {
        let job = ready::open("mnist-mlp").unwrap();
        let mut plan = Plan::new(job, Some(6000), |_| ()).unwrap();
        let mut of = |name: &str| plan.job(&Way::parse(name).unwrap()).unwrap();
        // 938 batches each, and a look at all of them before the first step.
        assert_eq!(of("sandblaster").train.steps, 5);
        assert_eq!(of("sandblaster+iterations:60").train.steps, 60);
    }

    #[test]
    fn a_job_that_is_synchronous_is_counted_so() {
        let mut job = ready::open("adult-wide-and-deep").unwrap();
        job.cluster.strategy = crate::train::strategy::StrategyName::Synchronous;
        let mut plan = Plan::new(job, None, |job| job.cluster.workers = 4).unwrap();
        let mut of = |name: &str| plan.job(&Way::parse(name).unwrap()).unwrap();
        // 4000 steps of two workers.
        assert_eq!((of("local").train.steps, of("bounded").train.steps), (8000, 2000));
    }
}
