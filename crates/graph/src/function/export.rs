//! Functions from graphs: the message of a body.

use std::collections::{HashMap, HashSet};

use downpour_tensor::{Result, Status};
use downpour_wire::proto::{self, FunctionDef, NodeDef, op_def};

use super::FunctionGraph;
use crate::attr_proto::attrs_to_proto;
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId, arg_len};

/// The message of a function whose body is `body`: its arguments and results have fixed types, and its
/// `targets` are run by every call. Other nodes nothing depends on are kept but never run.
pub fn graph_to_function(name: &str, body: &FunctionGraph) -> Result<FunctionDef> {
    let names = ArgNames::new(body);
    let graph = &body.graph;
    let mut function = FunctionDef::default();
    let mut signature = proto::OpDef { name: name.to_string(), ..proto::OpDef::default() };
    for &arg in &body.args {
        let edge = graph.edge_type(arg.into());
        signature.input_arg.push(op_def::ArgDef {
            name: names.node(body, arg),
            r#type: edge.dtype as i32,
            is_ref: edge.is_ref,
            ..Default::default()
        });
    }
    let is_arg: HashSet<NodeId> = body.args.iter().copied().collect();
    for (id, node) in graph.nodes().filter(|(id, _)| !is_arg.contains(id)) {
        signature.is_stateful |= node.op.def.is_stateful;
        let mut input = Vec::with_capacity(node.inputs.len() + node.controls.len());
        for end in &node.inputs {
            input.push(names.tensor(body, *end).map_err(|e| e.at_node(&node.name))?);
        }
        input.extend(node.controls.iter().map(|c| format!("^{}", names.node(body, *c))));
        function.node_def.push(NodeDef {
            name: names.node(body, id),
            op: node.op_name().to_string(),
            input,
            device: node.device.clone(),
            attr: attrs_to_proto(&node.attrs)?,
            ..NodeDef::default()
        });
    }
    for (i, end) in body.results.iter().enumerate() {
        let name = format!("result_{i}");
        signature.output_arg.push(op_def::ArgDef {
            name: name.clone(),
            r#type: graph.edge_type(*end).dtype as i32,
            ..Default::default()
        });
        function.ret.insert(name, names.tensor(body, *end)?);
    }
    for &target in body.targets.iter().filter(|target| !is_arg.contains(target)) {
        let name = names.node(body, target);
        signature.control_output.push(name.clone());
        function.control_ret.insert(name.clone(), name);
    }
    function.signature = Some(signature);
    Ok(function)
}

/// Arguments are named by small letters and digits, differently from every node.
struct ArgNames(HashMap<NodeId, String>);

impl ArgNames {
    fn new(body: &FunctionGraph) -> ArgNames {
        let is_arg: HashSet<NodeId> = body.args.iter().copied().collect();
        let mut taken: HashSet<String> = body
            .graph
            .nodes()
            .filter(|(id, _)| !is_arg.contains(id))
            .map(|(_, node)| node.name.clone())
            .collect();
        let mut names = HashMap::with_capacity(body.args.len());
        for &arg in &body.args {
            let base = plain(&body.graph.node(arg).name);
            let name = std::iter::once(base.clone())
                .chain((1..).map(|i| format!("{base}_{i}")))
                .find(|name| !taken.contains(name))
                .unwrap_or(base);
            taken.insert(name.clone());
            names.insert(arg, name);
        }
        ArgNames(names)
    }

    fn node(&self, body: &FunctionGraph, id: NodeId) -> String {
        self.0.get(&id).unwrap_or(&body.graph.node(id).name).clone()
    }

    /// `argument`, or `node:output:index`.
    fn tensor(&self, body: &FunctionGraph, end: Endpoint) -> Result<String> {
        if let Some(name) = self.0.get(&end.node) {
            return Ok(name.clone());
        }
        let (output, index) = output_name(&body.graph, end)?;
        Ok(format!("{}:{output}:{index}", body.graph.node(end.node).name))
    }
}

fn output_name(graph: &Graph, end: Endpoint) -> Result<(&str, usize)> {
    let node = graph.node(end.node);
    let mut port = end.port as usize;
    for arg in &node.op.def.outputs {
        let len = arg_len(arg, &node.attrs)?;
        if port < len {
            return Ok((&arg.name, port));
        }
        port -= len;
    }
    Err(Status::internal(format!("node '{}' has no output {}", node.name, end.port)))
}

fn plain(name: &str) -> String {
    let letters = name.chars().map(|c| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    let name: String = letters.collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    if name.is_empty() { "arg".to_string() } else { name.to_string() }
}
