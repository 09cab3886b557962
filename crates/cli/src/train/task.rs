//! One process of a run: builds the trainer its job describes, and trains or serves.

use std::path::Path;
use std::time::Duration;

use downpour::training::{CheckpointPolicy, EarlyStopping, Outcome, Trainer};
use downpour_tensor::Result;

use super::job::Job;
use super::strategy::StrategyName;
use super::{data, folder};

/// A job as a trainer that writes into a run's folder.
pub fn trainer(job: &Job, folder: &Path) -> Result<Trainer> {
    let (train, evaluate) = {
        let whole = job.cluster.strategy == StrategyName::Sandblaster;
        data::sources(&job.data, job.train.seed.unwrap_or(0), whole)?
    };
    let table = &job.train;
    let every = Some(table.evaluate_every).filter(|steps| *steps > 0);
    let mut trainer = Trainer::of(job.model()?, train)
        .evaluate(evaluate, every)
        .optimizer(job.optimizer.build())
        .strategy(job.cluster.strategy(&job.sandblaster)?)
        .folder(folder)
        .steps(table.steps)
        .threads(job.cluster.threads)
        .checkpoints(CheckpointPolicy {
            every_steps: Some(table.checkpoint_every),
            every: None,
            keep: table.keep,
            keep_best: table.keep_best.clone().map(|metric| {
                let lower = metric == "loss";
                (metric, lower)
            }),
        });
    for (scope, optimizer) in &job.optimizer_for {
        trainer = trainer.optimizer_for(scope, optimizer.build());
    }
    if let Some(norm) = job.optimizer.clip_norm {
        trainer = trainer.clip_gradients(norm);
    }
    if let Some(seed) = table.seed {
        trainer = trainer.seed(seed);
    }
    if let Some(precision) = table.mixed_precision() {
        trainer = trainer.precision(precision);
    }
    if let Some(seconds) = table.seconds {
        trainer = trainer.time_limit(Duration::from_secs_f64(seconds));
    }
    if let Some(step) = table.profile_at {
        trainer = trainer.profile_at(step);
    }
    if table.histograms {
        trainer = trainer.histograms();
    }
    if let Some(metric) = &table.early_stopping {
        trainer = trainer.hook(EarlyStopping::new(metric, table.patience));
    }
    for (key, value) in description(job) {
        trainer = trainer.describe(&key, value);
    }
    Ok(trainer)
}

/// What the report says of a job.
fn description(job: &Job) -> Vec<(String, String)> {
    let model = job.model.get_ref().to_string();
    let cluster = &job.cluster;
    let processes = match cluster.strategy {
        StrategyName::Local | StrategyName::Mirrored => "1 process".to_string(),
        StrategyName::AllReduce => format!("{} workers", cluster.workers),
        _ => format!("{} parameter servers, {} workers", cluster.servers(), cluster.workers),
    };
    let optimizer =
        format!("{:?}, learning rate {}", job.optimizer.kind, job.optimizer.learning_rate);
    [
        ("job", job.name.clone()),
        ("model", model.trim().replace('\n', ", ")),
        ("data", format!("{}, batches of {}", job.data.source.get_ref(), job.data.batch)),
        ("optimizer", optimizer),
        ("precision", job.train.precision.word().to_string()),
        ("strategy", cluster.describe()),
        ("processes", processes),
    ]
    .map(|(key, value)| (key.to_string(), value))
    .to_vec()
}

/// Runs the task of a run that TF_CONFIG says this process is.
pub fn run(run: &Path) -> Result<Outcome> {
    let job = folder::read_job(run)?;
    trainer(&job, run)?.stop_on_signals()?.train()
}
