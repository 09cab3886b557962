//! The comparison for programs.

use serde_json::{Map, Value, json};

use super::{Comparison, Figures, Stale, curve};
use crate::record::Run;

pub fn json(comparison: &Comparison) -> Value {
    let figures = comparison.figures();
    let goal = comparison.goal();
    let one = |(run, figures): (&Run, &Figures)| run_json(run, figures, goal);
    json!({
        "reference": figures.get(comparison.reference()).map(|figures| &figures.name),
        "goal": goal,
        "runs": comparison.runs().iter().zip(&figures).map(one).collect::<Vec<_>>(),
    })
}

fn run_json(run: &Run, figures: &Figures, goal: Option<f64>) -> Value {
    let mut told = what_was_moved(run, figures);
    let metrics: Map<String, Value> =
        figures.metrics.iter().map(|m| (m.name.clone(), json!(m.last().value))).collect();
    let reached = goal.and_then(|goal| curve(run).into_iter().find(|point| point.loss <= goal));
    let more = json!({
        "name": figures.name,
        "run": run.folder.display().to_string(),
        "strategy": figures.strategy,
        "ended": figures.ended,
        "workers": figures.workers,
        "servers": figures.servers,
        "step": figures.steps,
        "examples": figures.examples,
        "wall_seconds": figures.wall_seconds,
        "training_seconds": figures.seconds,
        "training_loss": figures.training_loss,
        "metrics": metrics,
        "seconds_to_goal": reached.map(|point| point.seconds),
        "examples_to_goal": reached.map(|point| point.examples),
        "restarts": figures.restarts,
    });
    if let (Value::Object(told), Value::Object(more)) = (&mut told, more) {
        told.extend(more);
    }
    told
}

/// Bytes, staleness, what became of updates, and where time went.
pub(crate) fn what_was_moved(run: &Run, figures: &Figures) -> Value {
    let traffic = figures.traffic;
    let staleness = match &figures.staleness {
        Stale::Counted(counted) => json!({
            "mean": counted.mean(),
            "p95": counted.quantile(0.95),
            "largest": counted.largest(),
            "counts": counted.counts(),
        }),
        Stale::Never => json!({ "mean": 0.0, "p95": 0, "largest": 0, "counts": [] }),
        Stale::Unknown => Value::Null,
    };
    let updates = figures.books.as_ref().map(|books| {
        json!({
            "made": books.updates,
            "repeated": books.repeated,
            "dropped": books.dropped,
            "lost": books.lost,
            "refused": books.refused,
        })
    });
    let tasks: Map<String, Value> = run
        .tasks()
        .into_iter()
        .filter_map(|task| {
            let traffic = task.traffic()?;
            let bytes = json!({ "sent": traffic.sent, "received": traffic.received });
            Some((task.name.clone(), bytes))
        })
        .collect();
    let split = &figures.split;
    json!({
        "examples_per_second": figures.examples_per_second,
        "bytes": traffic.map(|traffic| traffic.sent),
        "bytes_per_example": figures.bytes_per_example(),
        "bytes_by_task": tasks,
        "compression": traffic.and_then(|traffic| traffic.compression()),
        "staleness": staleness,
        "updates": updates,
        "seconds": {
            "step": split.step,
            "exchange": figures.exchange_seconds,
            "data": split.data,
            "evaluation": split.evaluation,
            "checkpoint": split.checkpoint,
            "start": split.start,
        },
    })
}

impl Figures {
    /// What a run moved over the network and what became of it, for programs.
    pub fn moved_json(&self, run: &Run) -> Value {
        what_was_moved(run, self)
    }
}
