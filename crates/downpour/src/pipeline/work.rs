//! A model as a line of segments with the work of each: measured, or estimated from shapes.
//!
//! A segment begins where variables of a new scope are first used: that is where a layer begins. Nodes
//! belong to the latest segment they take something from, so that every value goes forward along the line.

use std::collections::HashMap;

use downpour_graph::{Endpoint, Node, NodeId};
use downpour_tensor::{Result, Status};

use super::cut::Segment;
use super::measured::worked_for;
use super::stages::{BuiltNodes, Stages, relative};
use crate::graph::{Graph, State};

/// Sizes that are not known are taken to be this: they are the batch's.
const ASSUMED: usize = 32;

/// Seconds in which a byte crosses a network of 10 Gbit/s.
const SECONDS_PER_BYTE: f64 = 0.8e-9;

/// Operations that a processor does in a second.
const OPERATIONS_PER_SECOND: f64 = 50e9;

/// What goes on from one layer to the next in both directions: values, then their gradients.
const BOTH_WAYS: f64 = 2.0;

/// Forward, and twice as much backward: gradients by inputs and by weights.
const WITH_GRADIENTS: f64 = 3.0;

/// A model cut as finely as it can be.
pub(super) struct Line {
    pub segments: Vec<Segment>,
    /// The segment of every variable; none for those that the model does not use.
    pub of_variable: Vec<Option<usize>>,
    /// In the unit of the segments' work.
    pub time_per_byte: f64,
}

/// `measured` has nodes of an earlier run with the seconds each took.
pub(super) fn line(
    graph: &Graph,
    stages: &Stages,
    built: &BuiltNodes,
    measured: Option<&[(String, f64)]>,
) -> Result<Line> {
    let state = graph.lock();
    let mut line = Line {
        segments: Vec::new(),
        of_variable: vec![None; stages.owners.len()],
        time_per_byte: OPERATIONS_PER_SECOND * SECONDS_PER_BYTE,
    };
    let mut scope_of_last = String::new();
    let mut of_node: HashMap<NodeId, usize> = HashMap::new();
    // Where each value was made, and the last segment that takes it.
    let mut reach: HashMap<Endpoint, (usize, usize)> = HashMap::new();
    for index in built.nodes.clone() {
        let id = NodeId(index as u32);
        if stages.part_of.contains_key(&id) {
            continue;
        }
        let node = state.nodes.node(id);
        let bound = stages.bound_to(&state.nodes, node);
        let taken = node.inputs.iter().filter_map(|end| stages.part_of.get(&end.node).copied());
        for variable in taken.chain(bound) {
            if line.of_variable[variable].is_some() {
                continue;
            }
            let name = &stages.owners[variable].name;
            let scope = name.rsplit_once('/').map_or(name.as_str(), |(scope, _)| scope);
            if line.segments.is_empty() || scope != scope_of_last {
                line.segments.push(Segment::default());
                scope_of_last = scope.to_string();
            }
            line.of_variable[variable] = Some(line.segments.len() - 1);
        }
        let of_input = |end: &Endpoint| match stages.part_of.get(&end.node) {
            Some(variable) => line.of_variable[*variable],
            None => of_node.get(&end.node).copied(),
        };
        let Some(segment) = node.inputs.iter().filter_map(of_input).max() else { continue };
        // A table that is used again later must be where its rows are asked for.
        if let Some(table) = bound.and_then(|variable| line.of_variable[variable]) {
            for between in table + 1..=segment {
                line.segments[between].joined = true;
            }
        }
        for end in &node.inputs {
            if let Some(made) = of_node.get(&end.node) {
                let last = reach.entry(*end).or_insert((*made, segment));
                last.1 = last.1.max(segment);
            }
        }
        of_node.insert(id, segment);
        line.segments[segment].work += operations(&state, id, node) * WITH_GRADIENTS;
    }
    for (end, (made, last)) in reach {
        let size = state.nodes.edge_type(end).dtype.size().max(1);
        let bytes = (elements(&state, end) * size as f64) * BOTH_WAYS;
        for segment in made + 1..=last {
            line.segments[segment].bytes_before += bytes;
        }
    }
    if let Some(measured) = measured {
        let name = |id: &NodeId| relative(&state.nodes.node(*id).name, &built.scope);
        let named = of_node.iter().filter_map(|(id, segment)| Some((name(id)?, *segment)));
        line.take_measured(&named.collect(), measured)?;
    }
    Ok(line)
}

impl Line {
    /// Replaces estimates by what nodes took, by the segments of the model's nodes.
    fn take_measured(
        &mut self,
        segments: &HashMap<&str, usize>,
        measured: &[(String, f64)],
    ) -> Result<()> {
        self.segments.iter_mut().for_each(|segment| segment.work = 0.0);
        self.time_per_byte = SECONDS_PER_BYTE;
        for (name, seconds) in measured {
            let segment = worked_for(name).and_then(|name| segments.get(name));
            if let Some(segment) = segment {
                self.segments[*segment].work += seconds.max(0.0);
            }
        }
        match self.segments.iter().any(|segment| segment.work > 0.0) {
            true => Ok(()),
            false => Err(Status::invalid_argument(
                "the measured times are of no node of the model: are they from a run of another one?",
            )),
        }
    }
}

/// How many elements a value has, or may have.
fn elements(state: &State, end: Endpoint) -> f64 {
    let shape = state.facts.shape(end);
    let dims = shape.dims().map(<[_]>::to_vec).unwrap_or_else(|| vec![None]);
    dims.iter().map(|dim| dim.unwrap_or(ASSUMED) as f64).product()
}

/// How many operations a node does, roughly: products count, everything else touches its values once.
fn operations(state: &State, id: NodeId, node: &Node) -> f64 {
    let inputs = || node.inputs.iter().map(|end| elements(state, *end));
    let outputs: f64 = (0..node.output_types.len() as u32)
        .map(|port| elements(state, Endpoint { node: id, port }))
        .sum();
    let (x, y) = match (node.inputs.first(), node.inputs.get(1)) {
        (Some(x), Some(y)) => (elements(state, *x), elements(state, *y)),
        _ => return outputs,
    };
    match node.op_name() {
        // [a, b] by [b, c], however transposed: ab times bc times ac is the square of abc.
        "MatMul" => 2.0 * (x * y * outputs).sqrt(),
        "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3" => {
            let shape = state.facts.shape(node.inputs[0]);
            let inner = shape.rank().and_then(|rank| shape.dim(rank.checked_sub(1)?));
            2.0 * outputs * inner.unwrap_or(ASSUMED) as f64
        }
        // Every output takes the kernel's share for its channel.
        "Conv2D" | "DepthwiseConv2dNative" => {
            let kernel = state.facts.shape(node.inputs[1]);
            let channels = kernel.dim(3).unwrap_or(1).max(1) as f64;
            2.0 * outputs * y / channels
        }
        // What a loop does is inside it: as if its matrices were used once per example and step.
        "While" | "StatelessWhile" => 2.0 * inputs().sum::<f64>() * ASSUMED as f64,
        _ => outputs,
    }
}
