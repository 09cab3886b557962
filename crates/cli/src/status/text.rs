//! The survey for people.

use std::fmt::Write;

use downpour_cluster::{Answer, NoAnswer, Survey, TaskReport};
use downpour_wire::task::{SessionStatus, StatusResponse};

use super::advice::advice;
use super::amounts::{bytes, count, time};

/// One paragraph a task, and a last line that counts.
pub fn report(survey: &Survey) -> String {
    let name = |report: &TaskReport| match &report.task {
        Some(task) => task.to_string(),
        None => "(unknown task)".to_string(),
    };
    let width = survey.tasks.iter().map(|report| name(report).len()).max().unwrap_or(0);
    let mut text = String::new();
    for task in &survey.tasks {
        write!(text, "{:width$}  {}  ", name(task), task.address).ok();
        match &task.answer {
            Ok(Answer::Downpour(status)) => downpour(&mut text, task, status),
            Ok(Answer::TensorFlow(devices)) => {
                text.push_str("TensorFlow (tells only its devices)\n");
                let devices: Vec<&str> =
                    devices.iter().map(|device| device.name.as_str()).collect();
                line(&mut text, "devices", &devices.join(", "));
            }
            Err(none) => no_answer(&mut text, task, none),
        }
    }
    let answered = survey.tasks.iter().filter(|task| task.answer.is_ok()).count();
    writeln!(text, "{answered} of {} answer", count(survey.tasks.len() as u64, "task")).ok();
    if !survey.complete && answered > 0 {
        text.push_str(
            "hint: a TensorFlow task does not tell which others there are; ask one of Downpour's\n",
        );
    }
    text
}

fn line(text: &mut String, what: &str, rest: &str) {
    writeln!(text, "    {what:8} {rest}").ok();
}

fn no_answer(text: &mut String, task: &TaskReport, none: &NoAnswer) {
    let waited = time(none.waited.as_secs_f64());
    writeln!(text, "NO ANSWER: {} (waited {waited})", none.status.message()).ok();
    line(text, "hint:", &advice(none, task.task.as_ref()));
}

fn downpour(text: &mut String, task: &TaskReport, status: &StatusResponse) {
    let up = time(status.uptime_seconds);
    writeln!(text, "downpour {}, up {up}, process {}", status.version, status.process_id).ok();
    if let Some(expected) = &task.task
        && (expected.job != status.job || i64::from(expected.task) != i64::from(status.task))
    {
        let who = format!("it was started as /job:{}/task:{}", status.job, status.task);
        line(text, "wrong:", &format!("{who}; do all tasks have the same cluster?"));
    }
    let devices: Vec<&str> = status.device.iter().map(|device| device.name.as_str()).collect();
    line(text, "devices", &devices.join(", "));
    let memory = status.memory.unwrap_or_default();
    let resident = match memory.resident_bytes {
        0 => String::new(),
        resident => format!("{} resident, ", bytes(resident as f64)),
    };
    let [tensors, peak, limit] =
        [memory.tensor_bytes, memory.peak_tensor_bytes, memory.limit_bytes]
            .map(|b| bytes(b as f64));
    line(text, "memory", &format!("{resident}{tensors} in tensors (at most {peak}) of {limit}"));
    let load = status.load.unwrap_or_default();
    let rates = format!(
        "{:.1} steps/s, {:.1} parts/s, {}/s in, {}/s out over {}",
        load.steps_per_second,
        load.parts_per_second,
        bytes(load.bytes_in_per_second),
        bytes(load.bytes_out_per_second),
        time(load.window_seconds),
    );
    line(text, "load", &rates);
    let done = format!(
        "{} and {} running; {} and {} done",
        count(load.running_steps.into(), "step"),
        count(load.running_parts.into(), "part"),
        count(load.steps, "step"),
        count(load.parts, "part"),
    );
    line(text, "", &done);
    if status.hosted_sessions > 0 {
        let hosted = count(status.hosted_sessions.into(), "session");
        line(text, "hosts", &format!("{hosted} of the cluster"));
    }
    status.session.iter().for_each(|session| line(text, "session", &one_session(session)));
}

fn one_session(session: &SessionStatus) -> String {
    let last = match (session.running_steps, session.seconds_since_step) {
        (running @ 1.., _) => format!("{running} running"),
        (0, Some(since)) => format!("last {} ago", time(since)),
        (0, None) => "none yet".to_string(),
    };
    format!(
        "{}, {} old, {}, {} ({last}), idle for {}",
        session.handle,
        time(session.age_seconds),
        count(session.nodes, "node"),
        count(session.steps, "step"),
        time(session.idle_seconds),
    )
}

#[cfg(test)]
mod tests;
