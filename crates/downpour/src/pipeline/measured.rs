//! How long a model's nodes took in a run, for cutting it by that.

use std::path::Path;

use downpour_tensor::{Result, Status};
use serde_json::Value;

/// The nodes of a step with the seconds each took, from the `timeline.json` that a run leaves when it is told
/// to ([`Trainer::profile_at`](crate::training::Trainer::profile_at)). Sending and waiting is left out.
pub fn node_times(timeline: impl AsRef<Path>) -> Result<Vec<(String, f64)>> {
    let path = timeline.as_ref();
    let broken = |why: String| {
        Status::invalid_argument(format!("{} is not a run's timeline: {why}", path.display()))
    };
    let text = std::fs::read(path)
        .map_err(|e| Status::not_found(format!("{}: cannot read: {e}", path.display())))?;
    let json: Value = serde_json::from_slice(&text).map_err(|e| broken(e.to_string()))?;
    let events = json.get("traceEvents").and_then(Value::as_array);
    let events = events.ok_or_else(|| broken("it has no traceEvents".to_string()))?;
    let time = |event: &Value| {
        let args = event.get("args")?;
        let crossing = matches!(args.get("op")?.as_str()?, "_Send" | "_Recv");
        let micros = event.get("dur")?.as_f64()?;
        (!crossing).then_some((args.get("node")?.as_str()?.to_string(), micros * 1e-6))
    };
    Ok(events.iter().filter_map(time).collect())
}

/// The node of a model, within the scope the model was built in, for which a node of a training run works:
/// itself, or the one whose gradient it computes.
pub(super) fn worked_for(name: &str) -> Option<&str> {
    // Gradients are named by what they are gradients of: `.../gradients/train/dense/MatMul_grad/...`.
    let name = name.rsplit_once("gradients/").map_or(name, |(_, of)| of);
    let (scope, within) = name.split_once('/')?;
    let part = scope.strip_prefix("micro_batch_").is_some_and(|n| n.parse::<usize>().is_ok());
    let of = ["_grad/", "_gradient_sum/"].iter().filter_map(|end| within.find(end)).min();
    (part || scope == "train").then(|| &within[..of.unwrap_or(within.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_the_model() {
        let cases = [
            ("train/dense/MatMul", Some("dense/MatMul")),
            ("micro_batch_3/tower/dense/Relu", Some("tower/dense/Relu")),
            ("update/gradients/train/dense/MatMul_grad/MatMul_1", Some("dense/MatMul")),
            ("update/backward_2/gradients/micro_batch_2/x/Add_grad/Sum", Some("x/Add")),
            ("update/gradients/train/dense/Relu_gradient_sum/AddN", Some("dense/Relu")),
            ("dense/kernel/Read/ReadVariableOp", None),
            ("update/Adam/update_dense/kernel/ResourceApplyAdam", None),
        ];
        for (name, expected) in cases {
            assert_eq!(worked_for(name), expected, "{name}");
        }
    }

    #[test]
    fn a_timeline_is_read_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("timeline.json");
        let text = r#"{"traceEvents": [
            {"ph": "M", "name": "process_name", "args": {"name": "worker"}},
            {"ph": "X", "dur": 1500.0, "args": {"node": "train/MatMul", "op": "MatMul"}},
            {"ph": "X", "dur": 9.0, "args": {"node": "x_S1", "op": "_Recv"}}]}"#;
        std::fs::write(&path, text).unwrap();
        let times = node_times(&path).unwrap();
        assert_eq!(times.len(), 1);
        assert_eq!((times[0].0.as_str(), times[0].1), ("train/MatMul", 1500.0 * 1e-6));
        std::fs::write(&path, "{}").unwrap();
        assert!(node_times(&path).unwrap_err().message().contains("no traceEvents"));
        assert!(node_times(folder.path().join("none")).is_err());
    }
}
