//! Graphs as text, for tests whose subject is what becomes of a graph.
//!
//! A fixture is a file: a graph, one node a line as `name = Op[attribute=value](input, input:1, ^control)
//! @device`; lines `feed x`, `fetch y`, `target z`; then `----` and what the code under test makes of it.
//! `UPDATE_FIXTURES=1 cargo test -p downpour-graph` rewrites what follows the line.

use std::path::{Path, PathBuf};

use downpour_tensor::{DataType, Result, Tensor};

use crate::attr::{AttrValue, Attrs};
use crate::builder::GraphBuilder;
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};
use crate::op_def::AttrType;
use crate::partial_shape::PartialShape;
use crate::passes::Subgraph;
use crate::registry::OpRegistry;

const LINE: &str = "----\n";

/// Runs `transform` on every fixture of a directory under `src` and compares.
pub(crate) fn check_all(
    directory: &str,
    registry: &OpRegistry,
    transform: impl Fn(&Subgraph) -> Result<String>,
) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(directory);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no fixtures in {}", directory.display());
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let (given, expected) = text.split_once(LINE).unwrap_or((&text, ""));
        let actual = match transform(&parse(given, registry)) {
            Ok(text) => text,
            Err(status) => format!("error: {status}"),
        };
        if actual.trim_end() == expected.trim_end() {
            continue;
        }
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::write(&path, format!("{given}{LINE}{}\n", actual.trim_end())).unwrap();
        } else {
            wrong.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "UPDATE_FIXTURES=1 accepts these:\n{}", wrong.join("\n"));
}

fn parse(text: &str, registry: &OpRegistry) -> Subgraph {
    let mut subgraph = Subgraph::default();
    // (node, input number, name) of inputs that come later in the text: back edges.
    let mut later: Vec<(NodeId, usize, String)> = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let graph = &mut subgraph.graph;
        match line.split_once(' ').unwrap() {
            ("feed", name) => subgraph.args.push(graph.find(name).unwrap()),
            ("fetch", name) => subgraph.fetches.push(graph.find_endpoint(name).unwrap()),
            ("target", name) => subgraph.targets.push(graph.find(name).unwrap()),
            _ => parse_node(line, graph, registry, &mut later),
        }
    }
    for (node, input, name) in later {
        let end = subgraph.graph.find_endpoint(&name).unwrap();
        subgraph.graph.node_mut(node).inputs[input] = end;
    }
    subgraph
}

fn parse_node(
    line: &str,
    graph: &mut Graph,
    registry: &OpRegistry,
    later: &mut Vec<(NodeId, usize, String)>,
) {
    let (name, rest) = line.split_once(" = ").unwrap();
    let (call, device) = rest.split_once(" @").unwrap_or((rest, ""));
    let (head, inputs) = call.strip_suffix(')').unwrap().split_once('(').unwrap();
    let (op, attrs) = match head.split_once('[') {
        Some((op, attrs)) => (op, parse_attrs(op, attrs.strip_suffix(']').unwrap(), registry)),
        None => (head, Attrs::new()),
    };
    let (mut data, mut controls, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for input in inputs.split(", ").filter(|input| !input.is_empty()) {
        match (input.strip_prefix('^'), graph.find_endpoint(input)) {
            (Some(control), _) => controls.push(graph.find(control).unwrap()),
            (None, Ok(end)) => data.push(end),
            (None, Err(_)) => {
                // Until it is there the first input stands for it, which has the same type.
                unknown.push((data.len(), input.to_string()));
                data.push(data[0]);
            }
        }
    }
    let id = GraphBuilder::new(graph, registry).add_named(name, op, &data, attrs).unwrap();
    later.extend(unknown.into_iter().map(|(input, name)| (id, input, name)));
    let node = graph.node_mut(id);
    node.controls = controls;
    node.device = device.to_string();
}

fn parse_attrs(op: &str, text: &str, registry: &OpRegistry) -> Attrs {
    let def = &registry.get(op).unwrap_or_else(|| panic!("no operation {op}")).def;
    let mut attrs = Attrs::new();
    for pair in text.split(", ") {
        let (name, value) = pair.split_once('=').unwrap();
        let kind = def.attrs.iter().find(|a| a.name == name).unwrap().ty;
        attrs = match kind {
            AttrType::Str => attrs.with(name, value.to_string()),
            AttrType::Int => attrs.with(name, value.parse::<i64>().unwrap()),
            AttrType::Bool => attrs.with(name, value.parse::<bool>().unwrap()),
            AttrType::Type => attrs.with(name, DataType::from_name(value).unwrap()),
            AttrType::Tensor => {
                let value = parse_tensor(value);
                attrs.with("dtype", value.dtype()).with(name, value)
            }
            AttrType::Shape => {
                let dim = |d: &str| if d == "?" { -1 } else { d.parse().unwrap() };
                let dims: Vec<i64> = value.split('x').map(dim).collect();
                attrs.with(name, AttrValue::Shape(PartialShape::from_i64(&dims).unwrap()))
            }
            _ => panic!("attributes like {name} are not written in fixtures"),
        };
    }
    attrs
}

/// `1.5` is a float, `[1 2]` a vector of int32.
fn parse_tensor(text: &str) -> Tensor {
    match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(list) => {
            let values: Vec<i32> = list.split(' ').map(|v| v.parse().unwrap()).collect();
            Tensor::vector(&values).unwrap()
        }
        None => Tensor::scalar(text.parse::<f32>().unwrap()),
    }
}

/// A graph as fixtures show it, one node a line, with the attributes that `shown` names.
pub(crate) fn text(graph: &Graph, shown: &[&str]) -> String {
    let name = |id: NodeId| graph.node(id).name.clone();
    let value = |end: &Endpoint| match end.port {
        0 => name(end.node),
        port => format!("{}:{port}", name(end.node)),
    };
    let mut lines = String::new();
    for (_, node) in graph.nodes() {
        let controls = node.controls.iter().map(|c| format!("^{}", name(*c)));
        let inputs: Vec<String> = node.inputs.iter().map(value).chain(controls).collect();
        let attrs: Vec<String> = shown
            .iter()
            .filter_map(|attr| Some((attr, node.attrs.get(attr)?)))
            .map(write)
            .collect();
        let attrs =
            if attrs.is_empty() { String::new() } else { format!("[{}]", attrs.join(", ")) };
        let op = node.op_name();
        lines += &format!("{} = {op}{attrs}({})", node.name, inputs.join(", "));
        lines += &match node.device.as_str() {
            "" => "\n".to_string(),
            device => format!(" @{device}\n"),
        };
    }
    lines
}

fn write((name, value): (&&str, &AttrValue)) -> String {
    match value {
        AttrValue::Str(text) => format!("{name}={}", String::from_utf8_lossy(text)),
        AttrValue::Bool(value) => format!("{name}={value}"),
        AttrValue::Int(value) => format!("{name}={value}"),
        other => format!("{name}={}", other.kind()),
    }
}
