//! Trains a job in every way, one after the other: they would only take each other's processors.

use std::path::PathBuf;

use downpour_tensor::{Result, Status};

use super::CompareArgs;
use super::plan::Plan;
use super::way::{USUAL, Way};
use crate::train::job::Job;
use crate::train::{advised, folder, ready, task};

/// From here on exit codes are those of signals: somebody wants all of it to end.
const BY_SIGNAL: u8 = 128;

/// What came of it.
pub struct Trained {
    pub folder: PathBuf,
    /// Folders of the runs that were begun.
    pub runs: Vec<PathBuf>,
    /// Of the last that failed, or 0.
    pub exit_code: u8,
}

pub fn train(job: &str, args: &CompareArgs) -> Result<Trained> {
    let wanted = match args.strategies.is_empty() {
        true => USUAL.map(String::from).to_vec(),
        false => args.strategies.clone(),
    };
    let ways = wanted.iter().map(|text| Way::parse(text)).collect::<Result<Vec<Way>>>()?;
    let mut plan = Plan::new(ready::open(job)?, args.steps, |job| {
        (job.cluster.ps, job.cluster.workers) = (args.ps, args.workers);
        job.data.batch = args.batch.unwrap_or(job.data.batch);
        job.train.seed = args.seed.or(job.train.seed);
    })?;
    // All mistakes before the first of them trains.
    let jobs = ways.iter().map(|way| checked(&mut plan, way)).collect::<Result<Vec<Job>>>()?;
    let parent = folder::make(&args.runs, &format!("compare-{}", plan.name()))?;
    let mut trained = Trained { folder: parent, runs: Vec::new(), exit_code: 0 };
    for (number, (way, job)) in ways.iter().zip(&jobs).enumerate() {
        eprintln!("{} of {}: {}", number + 1, jobs.len(), way.name);
        let run = folder::create(&trained.folder, job)?;
        trained.runs.push(run.clone());
        let exit_code = crate::train::train(job, &run, false, false)?;
        match exit_code {
            0 => {}
            BY_SIGNAL.. => {
                trained.exit_code = exit_code;
                break;
            }
            _ => {
                trained.exit_code = exit_code;
                eprintln!("hint: {} shows what went wrong", run.join("logs").display());
            }
        }
    }
    Ok(trained)
}

fn checked(plan: &mut Plan, way: &Way) -> Result<Job> {
    let job = plan.job(way)?;
    let trainer = task::trainer(&job, &PathBuf::new()).and_then(|trainer| trainer.check());
    trainer.map_err(|status| {
        let status = advised(status);
        Status::new(status.code(), format!("{}: {}", way.name, status.message()))
    })?;
    Ok(job)
}
