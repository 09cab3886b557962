//! The `downpour` command.

mod compare;
#[doc(hidden)]
pub mod fuzzing;
mod gradients;
mod inspect;
mod ops;
mod predict;
mod run;
mod serve;
mod status;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Distributed TensorFlow's runtime in Rust: one binary is master, worker and parameter server.
#[derive(Parser)]
#[command(name = "downpour", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Train a model: MNIST on a local cluster of processes, or a job of your own.
    Train(train::TrainArgs),
    /// Compare runs, or every way to train a job: loss, bytes, staleness and time on one page.
    Compare(compare::CompareArgs),
    /// Print what a trained model says of the examples in a CSV or IDX file.
    Predict(predict::PredictArgs),
    /// One process of a training run.
    #[command(hide = true)]
    TrainTask(train::TaskArgs),
    /// Serve sessions to TensorFlow clients (grpc://127.0.0.1:2222 unless told otherwise).
    Serve(serve::ServeArgs),
    /// Run a program on a whole cluster on this machine: parameter servers and workers, as one command.
    Run(run::RunArgs),
    /// Ends the processes of a run that was killed.
    #[command(hide = true)]
    RunGuard(run::GuardArgs),
    /// Show how the tasks of a cluster are: who answers, memory, sessions, steps and bytes per second.
    Status(status::StatusArgs),
    /// Show what is in a graph, checkpoint, SavedModel, event file, safetensors or record file.
    Inspect(inspect::InspectArgs),
    /// List the operations this build can run.
    Ops(ops::OpsArgs),
    /// Differentiate a graph: add the nodes that compute its gradients, and print their names.
    Gradients(gradients::GradientsArgs),
}

/// Runs the command that the process's arguments name.
pub fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let result = match Cli::parse().command {
        Command::Train(args) => train::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Predict(args) => predict::run(args).map(done),
        Command::TrainTask(args) => Ok(train::run_task(args)),
        Command::Serve(args) => serve::run(args).map(done),
        Command::Run(args) => run::run(args),
        Command::RunGuard(args) => run::guard(args),
        Command::Status(args) => status::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Ops(args) => ops::run(args).map(done),
        Command::Gradients(args) => gradients::run(args).map(done),
    };
    result.unwrap_or_else(|status| {
        eprintln!("error: {}", status.message());
        ExitCode::FAILURE
    })
}
