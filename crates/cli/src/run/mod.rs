//! `downpour run`: a whole cluster on this machine, started and ended as one.
//!
//! `plan` decides which processes make the cluster, `supervise` starts them, restarts those that fail and
//! decides when the run is over, `stop` ends what is left.

mod elastic;
mod environment;
mod fleet;
mod guard;
mod output;
mod plan;
mod ports;
mod process;
mod report;
mod stop;
mod supervise;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use downpour_tensor::{Result, Status};

pub use guard::{GuardArgs, run as guard};

const AFTER_HELP: &str = r#"What is started:
  Every ps, chief and worker task has a Downpour server at its address in the cluster. COMMAND runs once
  for the chief and once for each worker, as a client of that task's server. When all of them have ended,
  the servers are stopped and the exit code is 0. With --evaluator COMMAND also runs as the evaluator, which
  has a server of its own outside the cluster.

  With --bare COMMAND is itself the server of its task (it calls tf.train.Server), and only the parameter
  servers are Downpour's. With --all it runs for the parameter servers too: no process is Downpour's.

What COMMAND finds in its environment:
  TF_CONFIG           the cluster and the task's place in it, as Kubernetes' TFJob sets it
  DOWNPOUR_TARGET     grpc://address of its own server, for tf.Session(target) (not with --bare)
  DOWNPOUR_RESTARTS   how often this task has been restarted: 0 the first time
  DOWNPOUR_CLUSTER_KEY
                      a secret of this run, without which servers take no links, parameters or leases
  PYTHONUNBUFFERED    1 unless it is set, so that lines appear when they are printed

What happens when something fails:
  A process that fails is started again, with the same address and TF_CONFIG, up to --max-restarts times.
  After that the run has failed: everything is stopped, what failed is named with the last lines of its
  stderr, and the exit code is that of the process (128 and the signal's number if a signal ended it). One
  that ends with exit code 74 (files cannot be read or written) is not started again.
  Ctrl-C and SIGTERM are passed on; servers outlive their clients, so that a client may still save. A second
  Ctrl-C ends everything at once. If this process is killed, all the others die with it.

Examples:
  downpour run --ps 1 --workers 2 -- python train.py
  downpour run --ps 2 --chief --workers 4 --max-restarts 3 -- python train.py --steps 1000
  downpour run --ps 1 --workers 2 --bare -- python train.py    TensorFlow's workers, Downpour's ps
  downpour run --ps 1 --workers 2 --all -- python train.py     a script with server.join() for the ps
"#;

#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct RunArgs {
    /// Parameter servers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    ps: u32,
    /// Workers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    workers: u32,
    /// A chief beside the workers: the task `chief` of TF_CONFIG.
    #[arg(long)]
    chief: bool,
    /// A coordinator, the task `coordinator` of TF_CONFIG: COMMAND is that one too, for training with leases.
    #[arg(long, requires = "all")]
    coordinator: bool,
    /// An evaluator, outside the cluster.
    #[arg(long)]
    evaluator: bool,
    /// How often each failed process is started again before the run has failed.
    #[arg(long, value_name = "K", default_value_t = 0)]
    max_restarts: u32,
    /// COMMAND is itself the server of its task: no Downpour server is started for it.
    #[arg(long)]
    bare: bool,
    /// COMMAND runs for the parameter servers too, in place of Downpour's; implies --bare.
    #[arg(long)]
    all: bool,
    /// How long processes may take to end when they are asked to; then they are killed.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    grace: u32,
    /// Compute threads of each Downpour server (default: one per processor).
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u32,
    /// What Downpour's servers log.
    #[arg(long, env = "DOWNPOUR_LOG", default_value = "warn")]
    log: String,
    /// Workers that may be started later.
    #[arg(skip)]
    spare: u32,
    /// So many workers are left at least; without it none is ended early.
    #[arg(skip)]
    least: Option<u32>,
    /// At the end no process may be stopped for longer than this.
    #[arg(skip)]
    longest_stop: Option<Duration>,
    /// What to run for each task.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub use supervise::{Ended, NOT_AGAIN};

/// A program that is every task of a cluster on this machine, parameter servers too.
pub struct Everywhere<'a> {
    pub ps: u32,
    pub workers: u32,
    pub coordinator: bool,
    /// Workers come and go.
    pub elastic: Option<Elastic>,
    pub max_restarts: u32,
    /// When some have reached the end, others must not be stopped (SIGSTOP) for longer than this.
    pub longest_stop: Duration,
    pub command: Vec<String>,
    /// Where what the processes write goes.
    pub logs: &'a Path,
}

/// Workers come and go as the coordinator wants it.
pub struct Elastic {
    /// The fewest workers that it may leave.
    pub least: u32,
    /// The most that it may ask for.
    pub most: u32,
    /// Where it writes down what it wants.
    pub journal: PathBuf,
}

/// Runs a program as every task of a cluster.
pub fn everywhere(wanted: Everywhere<'_>) -> Result<Ended> {
    let limits = wanted.elastic.as_ref();
    let args = RunArgs {
        ps: wanted.ps,
        workers: wanted.workers,
        chief: false,
        coordinator: wanted.coordinator,
        spare: limits.map_or(0, |limits| limits.most.saturating_sub(wanted.workers)),
        least: limits.map(|limits| limits.least),
        evaluator: false,
        max_restarts: wanted.max_restarts,
        bare: true,
        all: true,
        grace: 20,
        threads: 0,
        log: "warn".to_string(),
        longest_stop: Some(wanted.longest_stop),
        command: wanted.command,
    };
    let decisions = wanted.elastic.map(|limits| elastic::Decisions::of(limits.journal));
    supervise_all(&args, Some(wanted.logs), decisions)
}

pub fn run(args: RunArgs) -> Result<ExitCode> {
    let ended = supervise_all(&args, None, None)?;
    if let Some(report) = &ended.report {
        eprint!("{report}");
    }
    Ok(ExitCode::from(ended.exit_code))
}

fn supervise_all(
    args: &RunArgs,
    logs: Option<&Path>,
    decisions: Option<elastic::Decisions>,
) -> Result<Ended> {
    let plan = plan::Plan::new(args)?;
    // One thread: Linux ends children with the thread that started them, not with the process.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Status::internal(format!("cannot start: {e}")))?;
    let limits = supervise::Limits {
        max_restarts: args.max_restarts,
        grace: Duration::from_secs(args.grace.into()),
        longest_stop: args.longest_stop,
        least_workers: args.least.unwrap_or(args.workers) as usize,
    };
    runtime.block_on(supervise::run(plan, limits, logs, decisions))
}
