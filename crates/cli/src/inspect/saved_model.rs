//! A SavedModel folder.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use downpour_formats::saved_model::{SavedModel, TensorSpec};
use downpour_tensor::Result;
use serde_json::{Value, json};

use super::Report;
use super::checkpoint::tensors;
use super::text::{shape, table};
use crate::status::amounts;

pub fn inspect(folder: &Path, verify: bool) -> Result<Report> {
    let model = SavedModel::open(folder)?;
    let mut text = format!(
        "SavedModel {}: {}\n",
        folder.display(),
        amounts::count(model.tags().len() as u64, "graph")
    );
    let mut graphs = Vec::new();
    for tags in model.tags() {
        let borrowed: Vec<&str> = tags.iter().map(String::as_str).collect();
        let meta = model.meta_graph(&borrowed)?;
        let nodes = meta.graph_def.as_ref().map_or(0, |graph| graph.node.len());
        let version = meta.meta_info_def.as_ref().map(|info| info.tensorflow_version.as_str());
        let _ = writeln!(
            text,
            "graph [{}]: {}, of TensorFlow {}",
            tags.join(","),
            amounts::count(nodes as u64, "node"),
            version.unwrap_or("?")
        );
        let mut signatures = BTreeMap::new();
        for (name, signature) in model.signatures(&borrowed)? {
            let rows: Vec<Vec<String>> =
                rows("in", &signature.inputs).chain(rows("out", &signature.outputs)).collect();
            let _ = write!(text, "signature {name} ({}):\n{}", signature.method, table(&rows));
            signatures.insert(
                name,
                json!({
                    "method": signature.method,
                    "inputs": specs(&signature.inputs),
                    "outputs": specs(&signature.outputs),
                }),
            );
        }
        graphs.push(json!({"tags": tags, "nodes": nodes, "signatures": signatures}));
    }
    let mut variables = Vec::new();
    if let Some(mut bundle) = model.bundle()? {
        let (json, rows, total) = tensors(&mut bundle, verify)?;
        let _ = write!(
            text,
            "variables: {}, {}\n{}",
            amounts::count(json.len() as u64, "tensor"),
            amounts::bytes(total as f64),
            table(&rows)
        );
        variables = json;
    }
    let good = variables.iter().all(|tensor| tensor["error"].is_null());
    let json = json!({"kind": "saved_model", "graphs": graphs, "variables": variables});
    Ok(Report { json, text, good })
}

fn rows<'a>(
    side: &'a str,
    specs: &'a BTreeMap<String, TensorSpec>,
) -> impl Iterator<Item = Vec<String>> + 'a {
    specs.iter().map(move |(key, spec)| {
        let shape = shape(spec.shape.as_deref());
        vec![side.into(), key.clone(), spec.dtype.to_string(), shape, spec.name.clone()]
    })
}

fn specs(specs: &BTreeMap<String, TensorSpec>) -> Value {
    let one = |spec: &TensorSpec| json!({"tensor": spec.name, "dtype": spec.dtype.to_string(), "shape": spec.shape});
    specs
        .iter()
        .map(|(key, spec)| (key.clone(), one(spec)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
