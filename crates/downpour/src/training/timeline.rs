//! One step in pictures: what every node did and when, for chrome://tracing and ui.perfetto.dev.

use std::collections::HashMap;

use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::StepStats;
use serde::Serialize;

use super::run::Run;
use crate::output::Output;
use crate::session::{Fetch, Session};

/// Runs a step and writes `timeline.json` into the run's folder.
pub(crate) fn record(
    run: &Run,
    session: &Session,
    inputs: &[&Output],
    fetches: &[&dyn Fetch],
    feeds: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let fed: Vec<(&Output, Tensor)> = inputs.iter().copied().zip(feeds).collect();
    let (values, stats) = session.run_traced(&fed, fetches)?;
    if let Some(folder) = &run.trainer.folder {
        let path = folder.join("timeline.json");
        let text = serde_json::to_vec(&trace(&stats))
            .map_err(|e| Status::internal(format!("cannot write a timeline: {e}")))?;
        std::fs::write(&path, text).map_err(|e| {
            Status::permission_denied(format!("cannot write {}: {e}", path.display()))
        })?;
    }
    Ok(values)
}

/// Events in the trace format of Chrome's tools.
#[derive(Serialize)]
struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<TraceEvent>,
}

#[derive(Serialize)]
struct TraceEvent {
    name: String,
    ph: &'static str,
    pid: usize,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<String>,
    /// Microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "HashMap::is_empty")]
    args: HashMap<&'static str, String>,
}

fn trace(stats: &StepStats) -> Trace {
    let mut events = Vec::new();
    let starts = stats.dev_stats.iter().flat_map(|device| &device.node_stats);
    let first = starts.map(|node| node.all_start_nanos).filter(|nanos| *nanos > 0).min();
    let first = first.unwrap_or(0);
    for (pid, device) in stats.dev_stats.iter().enumerate() {
        events.push(TraceEvent {
            name: "process_name".to_string(),
            ph: "M",
            pid,
            tid: 0,
            cat: None,
            ts: None,
            dur: None,
            args: HashMap::from([("name", device.device.clone())]),
        });
        for node in &device.node_stats {
            // `name = Operation(inputs)`
            let op =
                node.timeline_label.split(" = ").nth(1).and_then(|rest| rest.split('(').next());
            let op = op.unwrap_or("node").to_string();
            events.push(TraceEvent {
                name: op.clone(),
                ph: "X",
                pid,
                tid: node.thread_id,
                cat: Some("operation".to_string()),
                ts: Some((node.all_start_nanos - first) as f64 / 1000.0),
                dur: Some(node.all_end_rel_nanos as f64 / 1000.0),
                args: HashMap::from([("node", node.node_name.clone()), ("op", op)]),
            });
        }
    }
    Trace { events }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_wire::proto::{DeviceStepStats, NodeExecStats};

    #[test]
    fn times_begin_with_the_step() {
        let node = |start: i64| NodeExecStats {
            node_name: "a".to_string(),
            timeline_label: "a = MatMul(2 inputs)".to_string(),
            all_start_nanos: start,
            all_end_rel_nanos: 1500,
            ..Default::default()
        };
        let device = |name: &str, start| DeviceStepStats {
            device: name.to_string(),
            node_stats: vec![node(start)],
            ..Default::default()
        };
        let stats = StepStats { dev_stats: vec![device("w", 7_000), device("ps", 5_000)] };
        let text = serde_json::to_value(trace(&stats)).unwrap();
        let events = text["traceEvents"].as_array().unwrap();
        assert_eq!(events.len(), 4);
        assert_eq!((&events[1]["name"], &events[1]["ts"]), (&"MatMul".into(), &2.0.into()));
        assert_eq!((&events[3]["ts"], &events[3]["dur"]), (&0.0.into(), &1.5.into()));
        assert_eq!(events[2]["args"]["name"], "ps");
    }
}
