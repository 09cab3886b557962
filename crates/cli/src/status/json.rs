//! The survey for programs. The fields are promised in `downpour status --help`.

use downpour_cluster::{Answer, Survey, TaskReport};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::DeviceAttributes;
use downpour_wire::task::StatusResponse;
use serde::Serialize;

use super::advice::advice;

#[derive(Serialize)]
struct Document<'a> {
    target: &'a str,
    ok: bool,
    complete: bool,
    tasks: Vec<Task<'a>>,
}

#[derive(Serialize)]
struct Task<'a> {
    job: Option<&'a str>,
    task: Option<u32>,
    address: &'a str,
    state: &'static str,
    error: Option<Failure<'a>>,
    runtime: Option<&'static str>,
    devices: Vec<Device<'a>>,
    version: Option<&'a str>,
    process_id: Option<u32>,
    uptime_seconds: Option<f64>,
    hosted_sessions: Option<u32>,
    memory: Option<Memory>,
    load: Option<Load>,
    sessions: Option<Vec<Session<'a>>>,
}

#[derive(Serialize)]
struct Failure<'a> {
    message: &'a str,
    waited_seconds: f64,
    hint: String,
}

#[derive(Serialize)]
struct Device<'a> {
    name: &'a str,
    r#type: &'a str,
    memory_limit_bytes: i64,
}

#[derive(Serialize)]
struct Memory {
    resident_bytes: u64,
    tensor_bytes: u64,
    peak_tensor_bytes: u64,
    limit_bytes: u64,
}

#[derive(Serialize)]
struct Load {
    window_seconds: f64,
    steps: u64,
    running_steps: u32,
    steps_per_second: f64,
    parts: u64,
    running_parts: u32,
    parts_per_second: f64,
    bytes_in: u64,
    bytes_out: u64,
    bytes_in_per_second: f64,
    bytes_out_per_second: f64,
}

#[derive(Serialize)]
struct Session<'a> {
    handle: &'a str,
    age_seconds: f64,
    nodes: u64,
    steps: u64,
    running_steps: u32,
    idle_seconds: f64,
    seconds_since_step: Option<f64>,
}

pub fn report(target: &str, survey: &Survey) -> Result<String> {
    let document = Document {
        target,
        ok: survey.tasks.iter().all(|task| task.answer.is_ok()),
        complete: survey.complete,
        tasks: survey.tasks.iter().map(task).collect(),
    };
    let text = serde_json::to_string(&document)
        .map_err(|e| Status::internal(format!("cannot write the answer: {e}")))?;
    Ok(text + "\n")
}

fn task(report: &TaskReport) -> Task<'_> {
    let mut task = Task {
        job: report.task.as_ref().map(|task| task.job.as_str()),
        task: report.task.as_ref().map(|task| task.task),
        address: &report.address,
        state: if report.answer.is_ok() { "ok" } else { "no answer" },
        error: None,
        runtime: None,
        devices: Vec::new(),
        version: None,
        process_id: None,
        uptime_seconds: None,
        hosted_sessions: None,
        memory: None,
        load: None,
        sessions: None,
    };
    match &report.answer {
        Ok(Answer::Downpour(status)) => downpour(&mut task, status),
        Ok(Answer::TensorFlow(devices)) => {
            task.runtime = Some("tensorflow");
            task.devices = devices.iter().map(device).collect();
        }
        Err(none) => {
            task.error = Some(Failure {
                message: none.status.message(),
                waited_seconds: none.waited.as_secs_f64(),
                hint: advice(none, report.task.as_ref()),
            });
        }
    }
    task
}

fn downpour<'a>(task: &mut Task<'a>, status: &'a StatusResponse) {
    task.runtime = Some("downpour");
    task.version = Some(&status.version);
    task.process_id = Some(status.process_id);
    task.uptime_seconds = Some(status.uptime_seconds);
    task.hosted_sessions = Some(status.hosted_sessions);
    task.devices = status.device.iter().map(device).collect();
    task.memory = status.memory.map(|m| Memory {
        resident_bytes: m.resident_bytes,
        tensor_bytes: m.tensor_bytes,
        peak_tensor_bytes: m.peak_tensor_bytes,
        limit_bytes: m.limit_bytes,
    });
    task.load = status.load.map(|l| Load {
        window_seconds: l.window_seconds,
        steps: l.steps,
        running_steps: l.running_steps,
        steps_per_second: l.steps_per_second,
        parts: l.parts,
        running_parts: l.running_parts,
        parts_per_second: l.parts_per_second,
        bytes_in: l.bytes_in,
        bytes_out: l.bytes_out,
        bytes_in_per_second: l.bytes_in_per_second,
        bytes_out_per_second: l.bytes_out_per_second,
    });
    let session = |s: &'a downpour_wire::task::SessionStatus| Session {
        handle: &s.handle,
        age_seconds: s.age_seconds,
        nodes: s.nodes,
        steps: s.steps,
        running_steps: s.running_steps,
        idle_seconds: s.idle_seconds,
        seconds_since_step: s.seconds_since_step,
    };
    task.sessions = Some(status.session.iter().map(session).collect());
}

fn device(device: &DeviceAttributes) -> Device<'_> {
    Device {
        name: &device.name,
        r#type: &device.device_type,
        memory_limit_bytes: device.memory_limit,
    }
}
