//! A GraphDef, encoded or as text.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;

use downpour_formats::text_format;
use downpour_tensor::{DataType, Result, Status};
use downpour_wire::Message;
use downpour_wire::proto::attr_value::Value;
use downpour_wire::proto::{GraphDef, NodeDef};
use serde_json::json;

use super::text::{shape, table};
use super::{Report, with_hint};
use crate::status::amounts;

pub fn inspect(path: &Path) -> Result<Report> {
    let bytes = std::fs::read(path)
        .map_err(|e| Status::unknown(format!("cannot read {}: {e}", path.display())))?;
    let size = bytes.len();
    let graph = decode(path, bytes)?;
    let facts = Facts::of(&graph)?;
    let functions = graph.library.as_ref().map_or(0, |library| library.function.len());
    let mut text = format!(
        "graph {}: {}, {} operations, {}, {}\n",
        path.display(),
        amounts::count(graph.node.len() as u64, "node"),
        facts.ops.len(),
        amounts::count(functions as u64, "function"),
        amounts::bytes(size as f64),
    );
    let mut section = |title: &str, rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            let _ = write!(text, "{title}:\n{}", table(&rows));
        }
    };
    let described = |nodes: &[Described]| {
        nodes
            .iter()
            .map(|one| vec![one.dtype.clone(), shape(one.dims.as_deref()), one.name.clone()])
            .collect()
    };
    section("inputs", described(&facts.inputs));
    section("variables", described(&facts.variables));
    section("outputs", facts.outputs.iter().map(|name| vec![name.clone()]).collect());
    let mut ops: Vec<_> = facts.ops.iter().collect();
    ops.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
    section(
        "operations",
        ops.iter().map(|(op, count)| vec![count.to_string(), op.to_string()]).collect(),
    );
    section("this build cannot run", facts.unknown.iter().map(|op| vec![op.clone()]).collect());
    let list = |nodes: &[Described]| -> Vec<_> {
        nodes.iter().map(|n| json!({"name": n.name, "dtype": n.dtype, "shape": n.dims})).collect()
    };
    let json = json!({
        "kind": "graph",
        "nodes": graph.node.len(),
        "functions": functions,
        "bytes": size,
        "producer": graph.versions.as_ref().map(|versions| versions.producer),
        "inputs": list(&facts.inputs),
        "variables": list(&facts.variables),
        "outputs": facts.outputs,
        "operations": facts.ops,
        "unknown_operations": facts.unknown,
    });
    Ok(Report { json, text, good: true })
}

fn decode(path: &Path, bytes: Vec<u8>) -> Result<GraphDef> {
    let is_text = path.extension().is_some_and(|extension| extension == "pbtxt");
    let binary = || GraphDef::decode(&bytes[..]).ok().filter(|graph| !graph.node.is_empty());
    if !is_text && let Some(graph) = binary() {
        return Ok(graph);
    }
    let text = std::str::from_utf8(&bytes).ok();
    let parsed = text.map(text_format::parse::<GraphDef>);
    match parsed {
        Some(Ok(graph)) if is_text || !graph.node.is_empty() => Ok(graph),
        Some(Err(error)) if is_text => Err(error.context(path.display())),
        _ => Err(with_hint(
            Status::invalid_argument(format!(
                "{} is no graph, and nothing else known here",
                path.display()
            )),
            "graphs are GraphDef messages (.pb) or their text (.pbtxt); record files end in .tfrecord",
        )),
    }
}

pub struct Described {
    name: String,
    dtype: String,
    dims: Option<Vec<i64>>,
}

struct Facts {
    ops: BTreeMap<String, u64>,
    inputs: Vec<Described>,
    variables: Vec<Described>,
    outputs: Vec<String>,
    unknown: Vec<String>,
}

impl Facts {
    fn of(graph: &GraphDef) -> Result<Facts> {
        let registry = downpour_ops::registry()?;
        let functions: HashSet<&str> = graph
            .library
            .iter()
            .flat_map(|library| &library.function)
            .filter_map(|function| Some(function.signature.as_ref()?.name.as_str()))
            .collect();
        let used: HashSet<&str> = graph
            .node
            .iter()
            .flat_map(|node| &node.input)
            .map(|input| input.trim_start_matches('^').split(':').next().unwrap_or_default())
            .collect();
        let mut facts = Facts {
            ops: BTreeMap::new(),
            inputs: Vec::new(),
            variables: Vec::new(),
            outputs: Vec::new(),
            unknown: Vec::new(),
        };
        for node in &graph.node {
            *facts.ops.entry(node.op.clone()).or_default() += 1;
            match node.op.as_str() {
                "Placeholder" | "PlaceholderV2" | "PlaceholderWithDefault" => {
                    facts.inputs.push(describe(node));
                }
                "VarHandleOp" | "VariableV2" | "Variable" => facts.variables.push(describe(node)),
                "NoOp" | "Const" | "Assert" => {}
                _ if !used.contains(node.name.as_str()) => facts.outputs.push(node.name.clone()),
                _ => {}
            }
        }
        let known = |op: &str| registry.ops().get(op).is_some() || functions.contains(op);
        facts.unknown = facts.ops.keys().filter(|op| !known(op)).cloned().collect();
        Ok(facts)
    }
}

fn describe(node: &NodeDef) -> Described {
    let attr = |name: &str| node.attr.get(name).and_then(|attr| attr.value.as_ref());
    let dtype = match attr("dtype") {
        Some(Value::Type(dtype)) => DataType::from_i32(*dtype).map(|dtype| dtype.to_string()),
        _ => None,
    };
    let dims = match attr("shape") {
        Some(Value::Shape(shape)) if !shape.unknown_rank => {
            Some(shape.dim.iter().map(|dim| dim.size).collect())
        }
        _ => None,
    };
    Described { name: node.name.clone(), dtype: dtype.unwrap_or_else(|| "?".into()), dims }
}
