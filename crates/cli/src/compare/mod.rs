//! `downpour compare`: runs side by side, on one page; with `--train` it makes the runs first.

mod plan;
mod train;
mod way;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use downpour::comparison::Comparison;
use downpour::report;
use downpour_tensor::{Result, Status};

const AFTER_HELP: &str = r#"The page (HTML, one file) shows loss against examples, time and bytes, the metrics of evaluations, bytes moved,
staleness, examples per second, where time went, and the final figures with their difference to the run of one
process (`local`), or else to the first. The same figures as a table go to standard output.

With --train a job is trained once in every way, one after the other, each time with as many examples. --strategies
names the ways: a strategy of `downpour train`, with `+` and a setting where one is wanted: a compression
(synchronous+int8, downpour+top-k:0.01), or backups:N, staleness:N, push_every:N, fetch_every:N, micro_batches:N.
Sandblaster goes over all of the data in every step: without --steps it makes as many as the job's [sandblaster] says
(sandblaster+iterations:60 makes 60), and so sees more examples than the others.
Learning rate schedules are stretched with the steps; checkpoints are written at the end only.

Columns of the table:
  steps       updates of the model, as the strategy counts them
  seconds     from the first training step to the last
  +/-         difference to `local`, or to the first run
  moved       bytes over the network, all tasks together; B/example: for each example
  staleness   updates between reading the parameters and changing them: mean, and the largest
  waiting     part of the workers' training time that went into exchanging with others; - where the graph does it

Examples:
  downpour compare --train                           MNIST in every way, on 2 servers and 4 workers
  downpour compare --train adult-wide-and-deep --steps 2000 --strategies local,synchronous,downpour
  downpour compare --train my-job.toml --strategies local,downpour,downpour+push_every:5+int8
  downpour compare runs/mnist-mlp runs/mnist-mlp-2 --output two.html
  downpour compare runs/* --json | jq '.runs[] | [.name, .bytes]'"#;

#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct CompareArgs {
    /// Folders of runs.
    #[arg(required_unless_present = "train", value_name = "RUN")]
    folders: Vec<PathBuf>,
    /// Trains a job in several ways first: a file, or the name of a ready-made one (default: mnist-mlp).
    #[arg(long, value_name = "JOB", num_args = 0..=1, default_missing_value = crate::train::ready::DEFAULT)]
    train: Option<String>,
    /// With --train: the ways, as local,synchronous+int8 (default: all strategies and some variants).
    #[arg(long, value_name = "WAYS", value_delimiter = ',', requires = "train")]
    strategies: Vec<String>,
    /// With --train: parameter servers.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "train")]
    ps: u32,
    /// With --train: workers.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "train")]
    workers: u32,
    /// With --train: batches to train on in all, whoever does it (default: those of the job).
    #[arg(long, value_name = "N", requires = "train")]
    steps: Option<i64>,
    /// With --train: examples in a batch.
    #[arg(long, value_name = "N", requires = "train")]
    batch: Option<usize>,
    /// With --train: seeds everything random.
    #[arg(long, requires = "train")]
    seed: Option<i64>,
    /// With --train: where the folder `compare-JOB` is made, which has a run for each way.
    #[arg(long, value_name = "FOLDER", default_value = "runs", requires = "train")]
    runs: PathBuf,
    /// The page (default: compare.html, with --train in the folder of the runs).
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the figures as one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: CompareArgs) -> Result<ExitCode> {
    let (folders, beside, exit_code) = match &args.train {
        None => (args.folders.clone(), PathBuf::new(), 0),
        Some(job) => {
            let trained = train::train(job, &args)?;
            let folders = args.folders.iter().cloned().chain(trained.runs).collect();
            (folders, trained.folder, trained.exit_code)
        }
    };
    let comparison = Comparison::read(&folders).map_err(|e| Status::not_found(e.to_string()))?;
    let page = args.output.clone().unwrap_or_else(|| beside.join("compare.html"));
    write(&page, &report::comparison(&comparison))?;
    match args.json {
        true => println!("{}", comparison.json()),
        false => print!("{}", comparison.text()),
    }
    eprintln!("page: {}", page.display());
    Ok(ExitCode::from(exit_code))
}

fn write(path: &Path, page: &str) -> Result<()> {
    std::fs::write(path, page).map_err(|e| {
        Status::permission_denied(format!(
            "cannot write {}: {e}\nhint: choose another file with --output",
            path.display()
        ))
    })
}
