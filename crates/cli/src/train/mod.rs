//! `downpour train`: trains a job on a cluster of processes of this machine, or in this process alone.
//!
//! A run is a folder (`runs/NAME`): the job, checkpoints, event files, what each task says of itself
//! (`tasks/`, see `downpour::record`), logs and the report. The processes of a run share nothing else with
//! this one: they are `downpour train-task FOLDER`, started and watched as `downpour run` does it.

pub(crate) mod data;
mod ending;
pub(crate) mod folder;
pub(crate) mod job;
mod mistake;
pub(crate) mod optimizer;
mod pipeline;
mod precision;
pub(crate) mod ready;
pub(crate) mod sandblaster;
mod show;
pub(crate) mod strategy;
pub(crate) mod task;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use downpour_tensor::{Code, Result, Status};

use crate::run::{Elastic, Everywhere, NOT_AGAIN, everywhere};
use ending::Ending;
use job::Job;
use precision::PrecisionName;
use show::Shown;
use strategy::StrategyName;

/// How many seconds a process may be stopped (SIGSTOP) when others have reached the end, unless the job's `silence` says
/// otherwise.
const LONGEST_STOP: f64 = 10.0;

const AFTER_HELP: &str = "\
A job's file describes model, data, optimizer and cluster; `downpour train --show` prints the one that would
be run, to begin a file of one's own with.

Examples:
  downpour train                              MNIST on 2 parameter servers and 2 workers
  downpour train mnist-cnn --workers 4        another ready-made job, with more workers
  downpour train my-job.toml --strategy local
  downpour train --resume                     go on with the latest run
  downpour train --resume runs/mnist-mlp --steps 20000";

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct TrainArgs {
    /// A job's file (TOML), or the name of a ready-made job (default: mnist-mlp).
    job: Option<String>,
    /// List the ready-made jobs.
    #[arg(long, conflicts_with_all = ["job", "resume", "show"])]
    list: bool,
    /// Print the job as a file, with what the other flags change, and do not run it.
    #[arg(long)]
    show: bool,
    /// Go on with a run from its last good checkpoint; without a folder, with the latest.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "", conflicts_with = "job")]
    resume: Option<String>,
    /// With --resume: if every checkpoint of the run is damaged, move them aside and begin anew at step 0.
    #[arg(long, requires = "resume")]
    discard_damaged: bool,
    /// Parameter servers.
    #[arg(long, value_name = "N")]
    ps: Option<u32>,
    /// Workers.
    #[arg(long, value_name = "N")]
    workers: Option<u32>,
    /// Most workers of the strategies downpour and synchronous with leases: more than --workers are started, and
    /// ended, as training shows a need; one that the others wait for is replaced.
    #[arg(long, value_name = "N")]
    max_workers: Option<u32>,
    /// Fewest workers, with the same strategies (default: --workers).
    #[arg(long, value_name = "N")]
    min_workers: Option<u32>,
    /// How training is spread over processes.
    #[arg(long, value_enum)]
    strategy: Option<StrategyName>,
    /// Of the strategy mirrored: replicas of the model, each with its part of the batch.
    #[arg(long, value_name = "N")]
    replicas: Option<usize>,
    /// Of the strategy synchronous: how many workers no step waits for.
    #[arg(long, value_name = "N")]
    backups: Option<u32>,
    /// Of the strategy bounded: how many steps the fastest worker may be ahead.
    #[arg(long, value_name = "N")]
    staleness: Option<u32>,
    /// Of the strategy downpour: steps between two times a worker takes the parameters.
    #[arg(long, value_name = "N")]
    fetch_every: Option<u32>,
    /// Of the strategy downpour: steps whose gradients are handed over together.
    #[arg(long, value_name = "N")]
    push_every: Option<u32>,
    /// Seconds without a sign of life after which a worker is given up (default: 30 by parameter servers, 10 by the coordinator of leases).
    #[arg(long, value_name = "SECONDS")]
    silence: Option<f64>,
    /// So often it is looked whether parameter servers are unevenly busy, and variables are moved between them if they are
    /// (default: never); strategies bounded, downpour, hybrid and synchronous.
    #[arg(long, value_name = "SECONDS")]
    rebalance: Option<f64>,
    /// Whether workers lease their data from a coordinator; strategies downpour and bounded do unless `--leases=false`.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    leases: Option<bool>,
    /// How gradients travel to the servers: none, lz4, zstd, bfloat16, float16, int8, one-bit, top-k:0.01, power-sgd:4.
    #[arg(long, value_name = "CODEC")]
    compression: Option<String>,
    /// What the model is computed in; weights are float32 in any case.
    #[arg(long, value_enum)]
    precision: Option<PrecisionName>,
    /// Global steps to train to; of the strategy sandblaster each is over all of the data (default there: 200).
    #[arg(long, value_name = "N")]
    steps: Option<i64>,
    /// Examples in a batch.
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Seeds everything random.
    #[arg(long)]
    seed: Option<i64>,
    /// Where the folders of runs are.
    #[arg(long, value_name = "FOLDER", default_value = "runs")]
    runs: PathBuf,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// One process of a run.
#[derive(Args)]
pub struct TaskArgs {
    /// The run's folder.
    run: PathBuf,
}

pub fn run(args: TrainArgs) -> Result<ExitCode> {
    if args.list {
        for (name, about) in ready::list()? {
            println!("{name:22} {about}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let resumed = match args.resume.as_deref() {
        None => None,
        Some("") => Some(folder::latest(&args.runs)?),
        Some(run) => Some(PathBuf::from(run)),
    };
    let mut job = match &resumed {
        Some(run) => folder::read_job(run)?,
        None => ready::open(args.job.as_deref().unwrap_or(ready::DEFAULT))?,
    };
    change(&mut job, &args);
    // What flags have made of it must hold as well.
    let job = Job::parse(&job.to_text()?, "the job as the flags change it")?;
    if args.show {
        print!("{}", job.to_text()?);
        return Ok(ExitCode::SUCCESS);
    }
    // Mistakes that the processes of the run would each find are shown once, before there is a run.
    task::trainer(&job, Path::new("")).and_then(|trainer| trainer.check()).map_err(advised)?;
    let run = match resumed {
        Some(run) => {
            if args.discard_damaged
                && let Some(aside) = folder::discard_damaged(&run)?
            {
                eprintln!("every checkpoint is damaged: moved to {}", aside.display());
            }
            folder::write_job(&run, &job)?;
            run
        }
        None => folder::create(&args.runs, &job)?,
    };
    let here = job.cluster.is_one_process();
    train(&job, &run, here, args.json).map(ExitCode::from)
}

/// What is wrong with a job's data or model, with what to do about it.
pub(crate) fn advised(status: Status) -> Status {
    let hint = match status.message().contains("cannot read") {
        true => "`folder`, `train` and `evaluate` in the job's [data] say where files are",
        false => {
            "the job's [data] and [model] must fit each other; `downpour train JOB --show` prints both"
        }
    };
    match status.message().contains("\nhint: ") {
        true => status,
        false => Status::new(status.code(), format!("{}\nhint: {hint}", status.message())),
    }
}

fn change(job: &mut Job, args: &TrainArgs) {
    let written_for = job.cluster.strategy;
    let cluster = &mut job.cluster;
    cluster.ps = args.ps.unwrap_or(cluster.ps);
    cluster.workers = args.workers.unwrap_or(cluster.workers);
    cluster.strategy = args.strategy.unwrap_or(cluster.strategy);
    cluster.replicas = args.replicas.or(cluster.replicas);
    cluster.backups = args.backups.or(cluster.backups);
    cluster.staleness = args.staleness.or(cluster.staleness);
    cluster.fetch_every = args.fetch_every.or(cluster.fetch_every);
    cluster.push_every = args.push_every.or(cluster.push_every);
    cluster.silence = args.silence.or(cluster.silence);
    cluster.rebalance = args.rebalance.or(cluster.rebalance);
    cluster.max_workers = args.max_workers.or(cluster.max_workers);
    cluster.min_workers = args.min_workers.or(cluster.min_workers);
    cluster.leases = args.leases.or(cluster.leases);
    if args.compression.is_some() {
        cluster.compression.clone_from(&args.compression);
    }
    job.train.precision = args.precision.unwrap_or(job.train.precision);
    if cluster.strategy != StrategyName::Sandblaster {
        job.train.steps = args.steps.unwrap_or(job.train.steps);
    }
    job.data.batch = args.batch.unwrap_or(job.data.batch);
    job.train.seed = args.seed.or(job.train.seed);
    sandblaster::count_iterations(job, written_for, args.steps);
}

/// Runs a job in its folder, in this process (`here`) or in processes of its own, and shows it; the exit code.
pub(crate) fn train(job: &Job, run: &Path, here: bool, json: bool) -> Result<u8> {
    let shown = Shown::start(run)?;
    let (exit_code, failed) = match here {
        true => {
            log_to_stderr("warn");
            match task::run(run) {
                Ok(_) => (0, None),
                Err(status) => (1, Some(format!("error: {}\n", status.message()))),
            }
        }
        false => {
            let own = std::env::current_exe()
                .map_err(|e| Status::internal(format!("where is this program? {e}")))?;
            let text = |path: &Path| path.to_string_lossy().into_owned();
            let (ps, workers) = match job.cluster.is_one_process() {
                true => (0, 1),
                false => (job.cluster.servers(), job.cluster.workers),
            };
            let ended = everywhere(Everywhere {
                ps,
                workers,
                coordinator: job.cluster.leases(),
                elastic: job.cluster.elastic().map(|limits| Elastic {
                    least: limits.least,
                    most: limits.most,
                    journal: run.join("tasks").join("coordinator-0.jsonl"),
                }),
                max_restarts: job.cluster.max_restarts,
                longest_stop: Duration::from_secs_f64(job.cluster.silence.unwrap_or(LONGEST_STOP)),
                command: vec![text(&own), "train-task".to_string(), text(run)],
                logs: &run.join("logs"),
            })?;
            (ended.exit_code, ended.report)
        }
    };
    let run = shown.end(failed.as_deref(), json)?;
    let ending = Ending::of(&run);
    let complete = exit_code == 0 && !ending.is_missing_something();
    if let Some(line) = ending.last_line(exit_code == 0) {
        eprintln!("{line}");
    }
    Ok(match exit_code {
        0 if !complete => 1,
        NOT_AGAIN => 1,
        code => code,
    })
}

/// `downpour train-task FOLDER`: the task that TF_CONFIG says.
pub fn run_task(args: TaskArgs) -> ExitCode {
    log_to_stderr("info");
    let Err(status) = task::run(&args.run) else { return ExitCode::SUCCESS };
    eprintln!("error: {}", status.message());
    match status.code() {
        // A full disk or a damaged file does not become better by trying again.
        Code::ResourceExhausted | Code::PermissionDenied | Code::DataLoss => {
            ExitCode::from(NOT_AGAIN)
        }
        _ => ExitCode::FAILURE,
    }
}

/// Logs what DOWNPOUR_LOG says, or else from this level on.
fn log_to_stderr(usual: &str) {
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("DOWNPOUR_LOG")
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(usual)),
        )
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .init();
}
