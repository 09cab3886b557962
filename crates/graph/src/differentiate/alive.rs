//! Values that exist only in a branch of Switch and Merge, handed on all the same.
//!
//! What a loop keeps for its gradient must be there in every iteration. A value behind a Switch is
//! merged with a stand-in on the side not taken; the gradient puts it behind the same Switch again.

use std::collections::{HashMap, HashSet};

use downpour_tensor::{DataType, Result, Shape, Tensor};

use super::units::{Level, Unit};
use crate::attr::Attrs;
use crate::builder::GraphBuilder;
use crate::frames::is_merge;
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// A value exists only where `pred` leads to `side`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub pred: Endpoint,
    pub side: u32,
}

/// What guards the nodes of one level, outermost first. Nodes that always run are not listed.
#[derive(Default)]
pub(super) struct Guards(HashMap<NodeId, Vec<Guard>>);

impl Guards {
    /// `order` has inputs before what they lead to.
    pub fn find(graph: &Graph, order: &[NodeId], level: Level<'_>) -> Guards {
        let mut guards = Guards::default();
        for &id in order {
            match level.unit(id) {
                Some(Unit::Node(_)) => guards.note(graph, id),
                Some(unit @ Unit::Loop(_)) => {
                    let around = guards.all(graph, level.inputs(graph, unit).into_iter());
                    guards.set(id, around);
                }
                None => {}
            }
        }
        guards
    }

    /// Takes in nodes that were added since, in the order in which they were added. What leaves a loop
    /// exists where the value does that `beside` names.
    pub fn note_added(
        &mut self,
        graph: &Graph,
        added: &HashSet<NodeId>,
        beside: &HashMap<NodeId, Endpoint>,
    ) {
        let mut added: Vec<NodeId> = added.iter().copied().collect();
        added.sort_unstable();
        for id in added {
            match beside.get(&id) {
                Some(end) => {
                    let guards = self.of(graph, *end);
                    self.set(id, guards);
                }
                None => self.note(graph, id),
            }
        }
    }

    /// Finds what guards a node whose inputs are known already.
    pub fn note(&mut self, graph: &Graph, id: NodeId) {
        let node = graph.node(id);
        if let Some(frame) = self.entering(graph, id) {
            return self.set(id, frame);
        }
        let mut found = if is_merge(node.op_name()) {
            let mut inputs = node.inputs.iter().map(|end| self.of(graph, *end));
            let mut common = inputs.next().unwrap_or_default();
            for other in inputs {
                common.retain(|guard| other.contains(guard));
            }
            common
        } else {
            self.all(graph, node.inputs.iter().copied())
        };
        for control in &node.controls {
            add(&mut found, self.0.get(control).map_or(&[], Vec::as_slice));
        }
        self.set(id, found);
    }

    /// Inside a loop all that comes in by Enter or by the loop's own Switch runs in every iteration.
    fn entering(&self, graph: &Graph, id: NodeId) -> Option<Vec<Guard>> {
        let node = graph.node(id);
        let enters = crate::frames::is_enter(node.op_name());
        (enters || is_loop_switch(graph, id)).then(Vec::new)
    }

    fn set(&mut self, id: NodeId, guards: Vec<Guard>) {
        if !guards.is_empty() {
            self.0.insert(id, guards);
        }
    }

    fn all(&self, graph: &Graph, ends: impl Iterator<Item = Endpoint>) -> Vec<Guard> {
        let mut found = Vec::new();
        for end in ends {
            add(&mut found, &self.of(graph, end));
        }
        found
    }

    /// What guards a value.
    pub fn of(&self, graph: &Graph, end: Endpoint) -> Vec<Guard> {
        let mut guards = self.0.get(&end.node).cloned().unwrap_or_default();
        let node = graph.node(end.node);
        if matches!(node.op_name(), "Switch" | "RefSwitch") && !is_loop_switch(graph, end.node) {
            add(&mut guards, &[Guard { pred: node.inputs[1], side: end.port }]);
        }
        guards
    }
}

fn add(guards: &mut Vec<Guard>, more: &[Guard]) {
    for guard in more {
        if !guards.contains(guard) {
            guards.push(*guard);
        }
    }
}

fn is_loop_switch(graph: &Graph, id: NodeId) -> bool {
    let node = graph.node(id);
    matches!(node.op_name(), "Switch" | "RefSwitch")
        && graph.node(node.inputs[1].node).op_name() == "LoopCond"
}

/// The value, or a stand-in where the value does not exist. New nodes are added to `forward`.
pub(super) fn always(
    builder: &mut GraphBuilder<'_>,
    forward: &mut HashSet<NodeId>,
    value: Endpoint,
    guards: &[Guard],
) -> Result<Endpoint> {
    let dtype = builder.graph.edge_type(value).dtype;
    let first = builder.graph.len();
    let mut value = value;
    for guard in guards.iter().rev() {
        // Exists exactly where the condition does.
        let anchor = builder.add("Identity", &[guard.pred], Attrs::new())?;
        let dummy = stand_in(builder, dtype, &[anchor])?;
        let switch = builder.add("Switch", &[dummy, guard.pred], Attrs::new())?;
        let other = Endpoint { node: switch, port: 1 - guard.side.min(1) };
        value = builder.op("Merge", &[value, other], Attrs::new())?;
    }
    forward.extend((first..builder.graph.len()).map(|i| NodeId(i as u32)));
    Ok(value)
}

/// Any value of a type, made when `controls` have run.
pub(super) fn stand_in(
    builder: &mut GraphBuilder<'_>,
    dtype: DataType,
    controls: &[NodeId],
) -> Result<Endpoint> {
    let first = builder.graph.len();
    let value = match dtype {
        DataType::Variant => {
            let (shape, most) = (scalar(builder, -1)?, scalar(builder, -1)?);
            let attrs = Attrs::new().with("element_dtype", DataType::Float);
            builder.op("EmptyTensorList", &[shape, most], attrs)?
        }
        DataType::Resource => {
            let size = scalar(builder, 0)?;
            builder.op("StackV2", &[size], Attrs::new().with("elem_type", DataType::Float))?
        }
        dtype => builder.constant(Tensor::zeros(dtype, Shape::scalar())?)?,
    };
    for index in first..builder.graph.len() {
        let node = builder.graph.node_mut(NodeId(index as u32));
        if node.inputs.is_empty() {
            node.controls = controls.to_vec();
        }
    }
    Ok(value)
}

pub(super) fn scalar(builder: &mut GraphBuilder<'_>, value: i32) -> Result<Endpoint> {
    builder.constant(Tensor::scalar(value))
}
