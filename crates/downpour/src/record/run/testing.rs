//! Short ways to say what tasks say, for tests.

use super::super::{Evaluated, Event, Finished, News, Progress, Seconds, Started, Time};

pub fn started(task: &str, time: Time, step: i64, restarts: u32) -> News {
    News::Event(Event::Started(Started {
        time,
        task: task.into(),
        address: "127.0.0.1:2222".into(),
        step,
        target_step: Some(1000),
        restarts,
        ..Started::default()
    }))
}

pub fn progress(time: Time, step: i64, examples: u64, loss: f64) -> News {
    let seconds = Seconds { start: 1.0, step: 0.5 * time, data: 0.25 * time, ..Seconds::default() };
    let steps = step as u64;
    let metrics = Default::default();
    News::Event(Event::Progress(Progress { time, step, steps, examples, loss, metrics, seconds }))
}

pub fn evaluated(time: Time, step: i64, metrics: &[(&str, f64)]) -> News {
    let metrics = metrics.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    News::Event(Event::Evaluated(Evaluated { time, step, examples: 10_000, metrics }))
}

pub fn finished(time: Time, step: i64, reason: &str) -> News {
    let failed = reason.starts_with("failed");
    News::Event(Event::Finished(Finished { time, step, reason: reason.into(), failed }))
}
