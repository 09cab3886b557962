//! An event file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use downpour_formats::events::{TagKind, summarize};
use downpour_tensor::Result;
use serde_json::json;

use super::Report;
use super::text::table;
use crate::status::amounts;

pub fn inspect(path: &Path) -> Result<Report> {
    let summary = summarize(path)?;
    let span = summary.last_wall_time.unwrap_or(0.0) - summary.first_wall_time.unwrap_or(0.0);
    let mut text = format!(
        "event file {}: {} over {}\n",
        path.display(),
        amounts::count(summary.events, "event"),
        amounts::time(span)
    );
    if let Some(nodes) = summary.graph_nodes {
        let _ = writeln!(text, "a graph of {}", amounts::count(nodes as u64, "node"));
    }
    let rows: Vec<Vec<String>> = summary
        .tags
        .iter()
        .map(|(tag, one)| {
            vec![
                name(&one.kind).into(),
                format!("{} of steps {} to {}", one.count, one.first_step, one.last_step),
                one.last_value.map_or("-".into(), |value| format!("last {}", value as f32)),
                tag.clone(),
            ]
        })
        .collect();
    text.push_str(&table(&rows));
    if let Some(offset) = summary.truncated_at {
        let _ = writeln!(text, "the last event is incomplete, from byte {offset} on");
    }
    let tags: BTreeMap<&String, _> = summary
        .tags
        .iter()
        .map(|(tag, one)| {
            let json = json!({
                "kind": name(&one.kind),
                "count": one.count,
                "first_step": one.first_step,
                "last_step": one.last_step,
                "last_value": one.last_value,
            });
            (tag, json)
        })
        .collect();
    let json = json!({
        "kind": "events",
        "file_version": summary.file_version,
        "events": summary.events,
        "first_wall_time": summary.first_wall_time,
        "last_wall_time": summary.last_wall_time,
        "graph_nodes": summary.graph_nodes,
        "run_metadata": summary.run_metadata,
        "tags": tags,
        "truncated_at": summary.truncated_at,
    });
    Ok(Report { json, text, good: true })
}

fn name(kind: &TagKind) -> &str {
    match kind {
        TagKind::Scalar => "scalar",
        TagKind::Histogram => "histogram",
        TagKind::Image => "image",
        TagKind::Audio => "audio",
        TagKind::Text => "text",
        TagKind::Tensor(plugin) if plugin.is_empty() => "tensor",
        TagKind::Tensor(plugin) => plugin,
    }
}
