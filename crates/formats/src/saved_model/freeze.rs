//! Makes a graph that needs no variables: their values become constants.

use std::collections::{BTreeMap, HashMap, HashSet};

use downpour_tensor::{DataType, Result, Status, Tensor};
use downpour_wire::Message;
use downpour_wire::proto::{GraphDef, NodeDef};

use super::nodes::{VariableKind, constant, source, type_attr, variable_kind, with_type};

/// The part of a graph that the outputs need (nodes, or tensors as in `y:0`), with the variables in it
/// replaced by constants of the given values, under the same names. Devices are left out.
pub fn freeze(
    graph: &GraphDef,
    variables: &BTreeMap<String, Tensor>,
    outputs: &[&str],
) -> Result<GraphDef> {
    let by_name: HashMap<&str, &NodeDef> =
        graph.node.iter().map(|node| (node.name.as_str(), node)).collect();
    let needed = needed(&by_name, outputs)?;
    let handles = handles(graph, &needed);
    let mut frozen = GraphDef {
        versions: graph.versions.clone(),
        library: graph.library.clone(),
        ..Default::default()
    };
    for node in graph.node.iter().filter(|node| needed.contains(node.name.as_str())) {
        let mut node = node.clone();
        // Where variables were is no matter any more; the graph is to be run elsewhere.
        node.attr.remove("_class");
        node.device.clear();
        if variable_kind(&node).is_some() {
            frozen.node.push(freeze_variable(&node, variables)?);
        } else if node.input.iter().any(|input| is_handle(input, &handles)) {
            freeze_user(node, &handles, &mut frozen.node)?;
        } else {
            frozen.node.push(node);
        }
    }
    if frozen.encoded_len() > i32::MAX as usize {
        return Err(Status::invalid_argument(
            "the frozen graph takes more than 2 GB, which no reader accepts; keep it as a SavedModel",
        ));
    }
    Ok(frozen)
}

fn needed<'a>(by_name: &HashMap<&str, &'a NodeDef>, outputs: &[&str]) -> Result<HashSet<&'a str>> {
    let mut needed = HashSet::new();
    let mut waiting: Vec<(&str, &str)> = outputs.iter().map(|output| (*output, "")).collect();
    while let Some((input, user)) = waiting.pop() {
        let name = source(input).0;
        let node = by_name.get(name).ok_or_else(|| match user {
            "" => Status::not_found(format!("the output '{input}' is not in the graph")),
            _ => Status::invalid_argument(format!(
                "the node '{user}' has the input '{input}', which is not in the graph"
            )),
        })?;
        if needed.insert(node.name.as_str()) {
            waiting.extend(node.input.iter().map(|input| (input.as_str(), node.name.as_str())));
        }
    }
    Ok(needed)
}

/// The nodes whose first output is a variable's handle, with the variable's dtype.
fn handles<'a>(graph: &'a GraphDef, needed: &HashSet<&str>) -> HashMap<&'a str, DataType> {
    let mut handles = HashMap::new();
    let mut handed_on: HashMap<&str, Vec<&'a str>> = HashMap::new();
    let mut waiting = Vec::new();
    for node in graph.node.iter().filter(|node| needed.contains(node.name.as_str())) {
        if variable_kind(node) == Some(VariableKind::Resource) {
            waiting.extend(type_attr(node, "dtype").map(|dtype| (node.name.as_str(), dtype)));
        } else if node.op == "Identity"
            && let Some(input) = node.input.first()
        {
            handed_on.entry(source(input).0).or_default().push(&node.name);
        }
    }
    while let Some((name, dtype)) = waiting.pop() {
        if handles.insert(name, dtype).is_none() {
            waiting.extend(handed_on.get(name).into_iter().flatten().map(|next| (*next, dtype)));
        }
    }
    handles
}

fn is_handle(input: &str, handles: &HashMap<&str, DataType>) -> bool {
    let (node, output) = source(input);
    output == Some(0) && handles.contains_key(node)
}

fn freeze_variable(node: &NodeDef, variables: &BTreeMap<String, Tensor>) -> Result<NodeDef> {
    let value = variables.get(&node.name).ok_or_else(|| {
        Status::not_found(format!(
            "the outputs need the variable '{}', which has no value",
            node.name
        ))
    })?;
    if type_attr(node, "dtype") != Some(value.dtype()) {
        return Err(Status::invalid_argument(format!(
            "the variable '{}' was given a value of {}",
            node.name,
            value.dtype()
        )));
    }
    let mut frozen = constant(node.name.clone(), value)?;
    frozen.input = node.input.clone();
    Ok(frozen)
}

/// A node that took a handle takes the value instead.
fn freeze_user(
    node: NodeDef,
    handles: &HashMap<&str, DataType>,
    out: &mut Vec<NodeDef>,
) -> Result<()> {
    let dtype = node.input.first().and_then(|input| handles.get(source(input).0)).copied();
    let refuse = || {
        Status::unimplemented(format!(
            "the node '{}' of {} uses a variable in a way that cannot be frozen",
            node.name, node.op
        ))
    };
    let dtype = dtype.ok_or_else(refuse)?;
    if node.input.iter().skip(1).any(|input| is_handle(input, handles)) {
        return Err(refuse());
    }
    let renamed = |op: &str, keep: &[&str]| {
        let mut renamed = NodeDef { op: op.into(), ..node.clone() };
        renamed.attr.retain(|attr, _| keep.contains(&attr.as_str()));
        renamed
    };
    match node.op.as_str() {
        "ReadVariableOp" | "Identity" => out.push(with_type(renamed("Identity", &[]), "T", dtype)),
        "VariableShape" => {
            out.push(with_type(renamed("Shape", &["out_type"]), "T", dtype));
        }
        "ResourceGather" => {
            let axis = format!("{}/axis", node.name);
            out.push(constant(axis.clone(), &Tensor::scalar(0i32))?);
            let mut gather = renamed("GatherV2", &["Tindices", "batch_dims"]);
            // Behind the indices; control inputs come after all others.
            gather.input.insert(2.min(gather.input.len()), axis);
            let gather = with_type(gather, "Tparams", dtype);
            out.push(with_type(gather, "Taxis", DataType::Int32));
        }
        "ResourceGatherNd" => {
            out.push(with_type(renamed("GatherNd", &["Tindices"]), "Tparams", dtype));
        }
        _ => return Err(refuse()),
    }
    Ok(())
}
