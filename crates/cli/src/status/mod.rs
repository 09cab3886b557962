//! `downpour status`: how every task of a cluster is.

mod advice;
pub(crate) mod amounts;
mod json;
mod text;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use downpour_cluster::survey;
use downpour_tensor::{Result, Status};

const AFTER_HELP: &str = r#"The exit code is 0 if every task answers and 1 if any does not.

TensorFlow's own tasks tell no more than their devices, and not which other tasks there are: ask one of
Downpour's to see a mixed cluster.

--json prints one object. Fields are added in later versions, but none is renamed or taken away:
  target           the address that was asked
  ok               true if every task answers
  complete         false if the other tasks are not known, because the target does not tell or not answer
  tasks            by job and number:
    job, task      its place; null if it is known by its address alone
    address        where it was asked
    state          "ok" or "no answer"
    error          null, or: message, waited_seconds, hint
    runtime        "downpour", "tensorflow", or null without an answer
    devices        each: name, type, memory_limit_bytes
  and of Downpour's tasks also (null for others):
    version, process_id, uptime_seconds
    hosted_sessions   sessions that may run parts of their steps there, whoever is their master
    memory         resident_bytes, tensor_bytes, peak_tensor_bytes, limit_bytes
    load           window_seconds: how long the rates are over; steps (of the task's own sessions),
                   running_steps, steps_per_second, parts (of steps over several tasks), running_parts,
                   parts_per_second, bytes_in, bytes_out, bytes_in_per_second, bytes_out_per_second
    sessions       those of which it is the master: handle, age_seconds, nodes, steps, running_steps,
                   idle_seconds, seconds_since_step (null before the first)

Examples:
  downpour status 127.0.0.1:2222
  downpour status grpc://worker-0:2222 --json | jq '.tasks[] | select(.state != "ok") | .address'
"#;

#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct StatusArgs {
    /// Any task of the cluster: host:port or grpc://host:port.
    target: String,
    /// One JSON object, described below.
    #[arg(long)]
    json: bool,
    /// How long each task has to answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = parse_seconds)]
    timeout: f64,
}

pub fn run(args: StatusArgs) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Status::internal(format!("cannot start: {e}")))?;
    let address = args.target.strip_prefix("grpc://").unwrap_or(&args.target);
    let found = runtime.block_on(survey(address, Duration::from_secs_f64(args.timeout)));
    let text = match args.json {
        true => json::report(address, &found)?,
        false => text::report(&found),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that has seen enough (`| head`) is not an error.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            return Err(Status::internal(format!("cannot write: {e}")));
        }
        _ => {}
    }
    let all_answer = found.tasks.iter().all(|task| task.answer.is_ok());
    Ok(if all_answer { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 86_400.0);
    seconds.ok_or_else(|| format!("'{text}' is not a number of seconds between 0 and 86400"))
}
