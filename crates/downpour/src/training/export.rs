//! The trained model for its users: a SavedModel that TensorFlow, and `downpour predict`, can load.

mod known_ids;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use downpour_data::Schema;
use downpour_formats::saved_model::{Model as Saved, Signature};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::{GraphDef, NodeDef};

use super::model::{Mode, Model};
use super::program::build_tower;
use crate::graph::Graph;
use crate::output::Output;
use known_ids::KnownIds;

/// The name under which TensorFlow looks for what a model does.
const SIGNATURE: &str = "serving_default";

/// Builds the model as it is used, alone and on no device, and saves it with the variables' values. False
/// if the model has no outputs to offer.
pub(crate) fn export(
    model: &dyn Model,
    schema: &Schema,
    mut value_of: impl FnMut(&[String]) -> Result<Vec<Tensor>>,
    folder: &Path,
) -> Result<bool> {
    let graph = Graph::new();
    let tower = build_tower(&graph, model, schema, Mode::Evaluate)?;
    let outputs = &tower.built.outputs;
    if outputs.is_empty() {
        return Ok(false);
    }
    let known = KnownIds::of(&graph, &mut value_of)?;
    let mut whole = graph.to_graph_def()?;
    known.replace(&mut whole);
    let wanted = outputs.iter().map(|(_, value)| value.op().name());
    let needed = ancestors(&whole, wanted.collect());
    let graph_def = GraphDef {
        node: whole.node.into_iter().filter(|node| needed.contains(&node.name)).collect(),
        ..whole
    };
    let used = |name: &str| needed.contains(name);
    let names: Vec<String> = graph
        .variables()
        .iter()
        .filter(|v| used(&v.handle().op().name()) && !known.values.contains_key(v.name()))
        .map(|v| v.name().to_string())
        .collect();
    let values = value_of(&names)?;
    let mut variables: BTreeMap<String, Tensor> = names.into_iter().zip(values).collect();
    variables.extend(known.values);
    let mut signature = Signature::default();
    for (name, input) in tower.names.iter().zip(&tower.inputs) {
        // Labels are for measuring only.
        if used(&input.op().name()) {
            signature =
                signature.input(name, &tensor_name(input), input.dtype(), shape(input).as_deref());
        }
    }
    for (name, value) in outputs {
        signature =
            signature.output(name, &tensor_name(value), value.dtype(), shape(value).as_deref());
    }
    let signatures = BTreeMap::from([(SIGNATURE.to_string(), signature)]);
    Saved { graph: graph_def, signatures, variables, ..Saved::default() }.save(folder)?;
    Ok(true)
}

/// With the port, as signatures write it.
fn tensor_name(value: &Output) -> String {
    let name = value.name();
    if name.contains(':') { name } else { format!("{name}:0") }
}

fn shape(value: &Output) -> Option<Vec<i64>> {
    value.shape().to_i64()
}

/// The nodes that these need, themselves included.
fn ancestors(graph: &GraphDef, wanted: Vec<String>) -> HashSet<String> {
    let by_name: HashMap<&str, &NodeDef> =
        graph.node.iter().map(|node| (node.name.as_str(), node)).collect();
    let mut needed = HashSet::new();
    let mut queue = wanted;
    while let Some(name) = queue.pop() {
        if !needed.insert(name.clone()) {
            continue;
        }
        let inputs =
            by_name.get(name.as_str()).map(|node| node.input.as_slice()).unwrap_or_default();
        for input in inputs {
            let source = input.trim_start_matches('^');
            queue.push(source.split(':').next().unwrap_or(source).to_string());
        }
    }
    needed
}

/// The values of variables by name, from where training has them.
pub(crate) fn values_of(
    session: &crate::Session,
    graph: &Graph,
    names: &[String],
) -> Result<Vec<Tensor>> {
    let by_name: HashMap<String, Output> =
        graph.variables().into_iter().map(|v| (v.name().to_string(), v.value())).collect();
    let value = |name: &String| {
        by_name.get(name).ok_or_else(|| {
            Status::internal(format!("the model has a variable '{name}' only when it is used"))
        })
    };
    let values = names.iter().map(value).collect::<Result<Vec<&Output>>>()?;
    let fetches: Vec<&dyn crate::Fetch> = values.iter().map(|v| *v as &dyn crate::Fetch).collect();
    session.run(&[], &fetches)
}
