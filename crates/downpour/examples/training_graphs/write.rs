//! A graph as files, with the values it has here.

use std::path::Path;

use downpour::{Graph, Operation, Output, Result, Session, Status};
use downpour_wire::Message;

/// Runs `train` for some steps, with `values` before each, and writes `NAME.pb` and `NAME.json`.
pub fn write(
    folder: &Path,
    name: &str,
    graph: &Graph,
    train: &Operation,
    values: &Output,
    steps: usize,
) -> Result<()> {
    let all = [graph.initialize_variables()?, graph.initialize_local_variables()?];
    let start = graph.group("start", &all)?;
    let session = Session::local(graph)?;
    session.run(&[], &[&start])?;
    let step = session.prepare(&[], &[values])?;
    let update = session.prepare(&[], &[train])?;
    let mut seen = Vec::with_capacity(steps);
    for _ in 0..steps {
        let value = step.run(Vec::new())?;
        seen.push(format!("{:?}", value[0].to_scalar::<f32>()?));
        update.run(Vec::new())?;
    }
    let variables: Vec<String> =
        graph.variables().iter().map(|v| format!("\"{}\"", v.name())).collect();
    let json = format!(
        "{{\"init\": \"{}\", \"train\": \"{}\", \"value\": \"{}\", \"variables\": [{}], \"values\": [{}]}}\n",
        start.name(),
        train.name(),
        values.name(),
        variables.join(", "),
        seen.join(", ")
    );
    let save = |ending: &str, bytes: &[u8]| {
        let path = folder.join(format!("{name}.{ending}"));
        std::fs::write(&path, bytes)
            .map_err(|e| Status::unavailable(format!("cannot write '{}': {e}", path.display())))
    };
    save("pb", &graph.to_graph_def()?.encode_to_vec())?;
    save("json", json.as_bytes())
}
