//! Which variable is restored from which tensor of the bundle, read off the nodes that restore: an
//! assignment whose value comes from an output of RestoreV2. TensorFlow 1 has them in the graph,
//! TensorFlow 2 in a function that takes the variables' handles.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use downpour_tensor::{ByteString, Result, Status};
use downpour_wire::proto::attr_value::Value;
use downpour_wire::proto::{FunctionDef, MetaGraphDef, NodeDef};
use downpour_wire::tensor_from_proto;

use super::nodes::source;

type Nodes<'a> = HashMap<&'a str, &'a NodeDef>;
/// Names in constants that were read already, by node.
type Keys<'a> = HashMap<&'a str, Vec<ByteString>>;

/// Longer chains of nodes that only hand on are nothing TensorFlow writes.
const MAX_CHAIN: usize = 16;

/// Node of the variable to key in the bundle.
pub fn restored_from(meta: &MetaGraphDef) -> Result<BTreeMap<String, String>> {
    let Some(graph) = &meta.graph_def else { return Ok(BTreeMap::new()) };
    let nodes: Nodes<'_> = graph.node.iter().map(|node| (node.name.as_str(), node)).collect();
    let functions: HashMap<&str, &FunctionDef> = graph
        .library
        .iter()
        .flat_map(|library| &library.function)
        .filter_map(|function| Some((function.signature.as_ref()?.name.as_str(), function)))
        .collect();
    let mut map = BTreeMap::new();
    let mut keys = Keys::new();
    for node in &graph.node {
        if let Some((variable, key)) = assignment(node, &nodes, &mut keys)? {
            map.insert(follow(variable, &nodes).0.to_string(), key);
        }
        let Some(Value::Func(called)) = node.attr.get("f").and_then(|attr| attr.value.as_ref())
        else {
            continue;
        };
        let Some(function) = functions.get(called.name.as_str()) else { continue };
        for (argument, key) in in_function(function)? {
            if let Some(input) = node.input.get(argument) {
                map.insert(follow(input, &nodes).0.to_string(), key);
            }
        }
    }
    Ok(map)
}

/// What a function assigns to its arguments, by their places.
fn in_function(function: &FunctionDef) -> Result<Vec<(usize, String)>> {
    let arguments: HashMap<&str, usize> = function
        .signature
        .iter()
        .flat_map(|signature| &signature.input_arg)
        .enumerate()
        .map(|(place, argument)| (argument.name.as_str(), place))
        .collect();
    let nodes: Nodes<'_> =
        function.node_def.iter().map(|node| (node.name.as_str(), node)).collect();
    let mut found = Vec::new();
    let mut keys = Keys::new();
    for node in &function.node_def {
        if let Some((variable, key)) = assignment(node, &nodes, &mut keys)?
            && let Some(place) = arguments.get(follow(variable, &nodes).0)
        {
            found.push((*place, key));
        }
    }
    Ok(found)
}

/// The variable that a node assigns and the key its value is restored from, if it does so.
fn assignment<'a>(
    node: &'a NodeDef,
    nodes: &Nodes<'a>,
    known: &mut Keys<'a>,
) -> Result<Option<(&'a str, String)>> {
    let (Some(variable), Some(value)) = (node.input.first(), node.input.get(1)) else {
        return Ok(None);
    };
    if !matches!(node.op.as_str(), "Assign" | "AssignVariableOp") {
        return Ok(None);
    }
    let (restore, output) = follow(value, nodes);
    let Some(restore) = nodes.get(restore).filter(|node| node.op == "RestoreV2") else {
        return Ok(None);
    };
    let names = restore.input.get(1).map(|input| follow(input, nodes).0);
    let keys = match names.and_then(|names| nodes.get(names)) {
        None => None,
        Some(names) => Some(match known.entry(names.name.as_str()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(strings_of(names)?),
        }),
    };
    let key = keys.as_ref().and_then(|keys| keys.get(output)).ok_or_else(|| {
        Status::data_loss(format!("the node '{}' restores output {output} of nothing", node.name))
    })?;
    Ok(Some((variable, String::from_utf8_lossy(key).into_owned())))
}

/// The node and output behind nodes that only hand on.
fn follow<'a>(input: &'a str, nodes: &Nodes<'a>) -> (&'a str, usize) {
    let mut at = place(input);
    for _ in 0..MAX_CHAIN {
        match nodes.get(at.0) {
            Some(node) if matches!(node.op.as_str(), "Identity" | "NoOp") => {
                match node.input.first() {
                    Some(input) if !input.starts_with('^') => at = place(input),
                    _ => break,
                }
            }
            _ => break,
        }
    }
    at
}

/// In functions, inputs are written `node:output:index`.
fn place(input: &str) -> (&str, usize) {
    let (node, output) = source(input);
    (node.split(':').next().unwrap_or(node), output.unwrap_or(0))
}

fn strings_of(node: &NodeDef) -> Result<Vec<ByteString>> {
    match node.attr.get("value").and_then(|attr| attr.value.as_ref()) {
        Some(Value::Tensor(tensor)) if node.op == "Const" => {
            Ok(tensor_from_proto(tensor)?.strings()?.to_vec())
        }
        _ => Err(Status::data_loss(format!("the node '{}' is no constant of names", node.name))),
    }
}
