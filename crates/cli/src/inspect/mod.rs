//! `downpour inspect`: what is in a file or folder of TensorFlow's formats.

mod checkpoint;
mod events;
mod graph;
mod kind;
mod records;
mod safetensors;
mod saved_model;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use downpour_tensor::{Result, Status};
use serde_json::Value;

use kind::Kind;

#[derive(Args)]
pub struct InspectArgs {
    /// A graph (.pb, .pbtxt), a checkpoint (its prefix, index or folder), a SavedModel folder, an event
    /// file, a safetensors file or a record file.
    path: PathBuf,
    /// One JSON object: `kind`, and fields that depend on it.
    #[arg(long)]
    json: bool,
    /// Read everything and check every checksum; the exit code tells whether all are right.
    #[arg(long)]
    verify: bool,
}

/// What was found, for programs and for people.
struct Report {
    json: Value,
    text: String,
    /// False if something is damaged.
    good: bool,
}

pub fn run(args: InspectArgs) -> Result<ExitCode> {
    let (kind, path) = kind::find(&args.path)?;
    let report = match kind {
        Kind::Graph => graph::inspect(&path),
        Kind::Checkpoint => checkpoint::inspect(&path, args.verify),
        Kind::CheckpointFolder => checkpoint::inspect_folder(&path, args.verify),
        Kind::SavedModel => saved_model::inspect(&path, args.verify),
        Kind::Events => events::inspect(&path),
        Kind::Safetensors => safetensors::inspect(&path),
        Kind::Records => records::inspect(&path, args.verify),
    }?;
    let out = match args.json {
        true => format!("{}\n", report.json),
        false => report.text,
    };
    match std::io::stdout().lock().write_all(out.as_bytes()) {
        // A reader that has seen enough (`| head`) is not an error.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Status::unknown(format!("cannot write: {e}")))
        }
        _ if report.good => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::FAILURE),
    }
}

/// An error with a line that says what to do.
fn with_hint(error: Status, hint: &str) -> Status {
    Status::new(error.code(), format!("{}\nhint: {hint}", error.message()))
}
