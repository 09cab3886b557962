//! Times one step of a saved graph: `downpour-bench SPEC.json`.
//!
//! The spec names a GraphDef file, targets to run first, feeds (TensorProto files), fetches, targets,
//! threads and how long to measure. Prints the median, fastest and mean step in nanoseconds as JSON.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_runtime::{ComputePool, Device, RunRequest, Session, SessionOptions, StepOptions};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{GraphDef, TensorProto};
use downpour_wire::{Message, tensor_from_proto};
use serde_json::Value;

fn main() -> ExitCode {
    match std::env::args().nth(1).map(|path| run(&path)) {
        Some(Ok(line)) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Some(Err(status)) => {
            eprintln!("error: {}", status.message());
            ExitCode::FAILURE
        }
        None => {
            eprintln!("usage: downpour-bench SPEC.json (see benches/against_tensorflow.py)");
            ExitCode::FAILURE
        }
    }
}

fn run(path: &str) -> Result<String> {
    let text = read(path)?;
    let spec: Value = serde_json::from_slice(&text)
        .map_err(|e| Status::invalid_argument(format!("{path} is not valid JSON: {e}")))?;
    let threads = spec["threads"].as_u64().unwrap_or(1) as usize;
    let pool = ComputePool::new(threads)
        .map_err(|e| Status::internal(format!("cannot start threads: {e}")))?;
    let device = Device::new("/job:localhost/replica:0/task:0/device:CPU:0", pool);
    let options =
        SessionOptions { inter_op: threads, intra_op: threads, ..SessionOptions::default() };
    let session = Session::new(Arc::new(downpour_ops::registry()?), device, options);
    let graph = read(spec["graph"].as_str().unwrap_or_default())?;
    let graph = GraphDef::decode(&graph[..])
        .map_err(|e| Status::invalid_argument(format!("not a GraphDef: {e}")))?;
    session.extend(&graph)?;
    for target in names(&spec["init"]) {
        let request = RunRequest { targets: vec![target], ..RunRequest::default() };
        session.run(request, &StepOptions::default())?;
    }
    let (feed_names, feeds) = feeds(&spec["feeds"])?;
    let callable =
        session.make_callable(feed_names, names(&spec["fetches"]), names(&spec["targets"]))?;
    let seconds = spec["seconds"].as_f64().unwrap_or(2.0);
    let times = measure(seconds, || session.run_callable(callable, feeds.clone()).map(drop))?;
    let mean = times.iter().sum::<u64>() / times.len() as u64;
    Ok(format!(
        "{{\"median_ns\":{},\"min_ns\":{},\"mean_ns\":{mean},\"steps\":{}}}",
        times[times.len() / 2],
        times[0],
        times.len()
    ))
}

/// Sorted step times, after a warm-up of a fifth of the time.
fn measure(seconds: f64, mut step: impl FnMut() -> Result<()>) -> Result<Vec<u64>> {
    let warm = Instant::now();
    while warm.elapsed() < Duration::from_secs_f64(seconds / 5.0) {
        step()?;
    }
    let mut times = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs_f64(seconds) || times.len() < 5 {
        let before = Instant::now();
        step()?;
        times.push(before.elapsed().as_nanos() as u64);
    }
    times.sort_unstable();
    Ok(times)
}

fn names(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|v| v.as_str().map(String::from)).collect()
}

fn feeds(value: &Value) -> Result<(Vec<String>, Vec<Tensor>)> {
    let mut out = (Vec::new(), Vec::new());
    for (name, file) in value.as_object().into_iter().flatten() {
        let bytes = read(file.as_str().unwrap_or_default())?;
        let proto = TensorProto::decode(&bytes[..])
            .map_err(|e| Status::invalid_argument(format!("not a TensorProto: {e}")))?;
        out.0.push(name.clone());
        out.1.push(tensor_from_proto(&proto)?);
    }
    Ok(out)
}

fn read(path: &str) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| Status::not_found(format!("cannot read '{path}': {e}")))
}
