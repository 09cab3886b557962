//! The `downpour` command.

mod gradients;
mod ops;
mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Distributed TensorFlow's runtime in Rust: one binary is master, worker and parameter server.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve sessions to TensorFlow clients (grpc://127.0.0.1:2222 unless told otherwise).
    Serve(serve::ServeArgs),
    /// List the operations this build can run.
    Ops(ops::OpsArgs),
    /// Differentiate a graph: add the nodes that compute its gradients, and print their names.
    Gradients(gradients::GradientsArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(args) => serve::run(args),
        Command::Ops(args) => ops::run(args),
        Command::Gradients(args) => gradients::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(status) => {
            eprintln!("error: {}", status.message());
            ExitCode::FAILURE
        }
    }
}
