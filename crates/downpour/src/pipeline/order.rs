//! Keeps each stage's order of work by edges that carry no value.
//!
//! For every action a stage has the nodes that do it. When all of them are done an empty node runs, and
//! those nodes of the stage's next action that wait for nothing else of theirs wait for it. Values from
//! other stages may come earlier: they wait, the stage does not.

use std::collections::{HashMap, HashSet};

use downpour_graph::{NodeId, frames};
use downpour_tensor::{Result, Status};

use super::schedule::Action;
use crate::graph::Graph;
use crate::output::{Operation, Output};

/// The nodes of every stage's actions.
pub(super) type Work = HashMap<(usize, Action), Vec<NodeId>>;

/// Lets every stage do its actions in the order of the schedule. `devices` has the stages' devices, if
/// they have any; nodes on which none of `wanted` depend are left alone.
pub(super) fn keep(
    graph: &Graph,
    schedule: &[Vec<Action>],
    work: &Work,
    devices: &[String],
    wanted: &[Output],
) -> Result<()> {
    let needed = needed(graph, wanted);
    let _scope = graph.name_scope("schedule")?;
    for (stage, actions) in schedule.iter().enumerate() {
        let device = devices.get(stage).map(|device| graph.device(device)).transpose()?;
        let mut before: Option<Vec<NodeId>> = None;
        for action in actions {
            let nodes = work.get(&(stage, *action)).map(Vec::as_slice).unwrap_or_default();
            let nodes: Vec<NodeId> =
                nodes.iter().copied().filter(|id| needed[id.index()]).collect();
            if nodes.is_empty() {
                continue;
            }
            let (first, last) = ends(graph, &nodes);
            if let Some(before) = before.replace(last) {
                let before: Vec<Operation> =
                    before.into_iter().map(|id| Operation::new(graph, id)).collect();
                let done = graph.group(&format!("stage_{stage}"), &before)?.id();
                let state = &mut *graph.lock();
                for id in first {
                    state.nodes.node_mut(id).controls.push(done);
                }
            }
        }
        drop(device);
    }
    let state = graph.lock();
    frames::topological_order(&state.nodes).map(drop).map_err(|e| {
        Status::invalid_argument(format!(
            "the stages of the pipeline wait for each other: the model's parts do not follow one another. \
             Train without micro-batches. ({})",
            e.message()
        ))
    })
}

/// Which nodes some of these values depend on.
fn needed(graph: &Graph, wanted: &[Output]) -> Vec<bool> {
    let state = graph.lock();
    let mut needed = vec![false; state.nodes.len()];
    let mut open: Vec<NodeId> = wanted.iter().map(|value| value.endpoint().node).collect();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut needed[id.index()], true) {
            continue;
        }
        let node = state.nodes.node(id);
        open.extend(node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied()));
    }
    needed
}

/// Of some nodes those that wait for none of the others, and those that none of the others wait for.
fn ends(graph: &Graph, nodes: &[NodeId]) -> (Vec<NodeId>, Vec<NodeId>) {
    let state = graph.lock();
    let own: HashSet<NodeId> = nodes.iter().copied().collect();
    let mut awaited: HashSet<NodeId> = HashSet::new();
    let mut first = Vec::new();
    for id in nodes {
        let node = state.nodes.node(*id);
        let sources = node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied());
        let inside: Vec<NodeId> = sources.filter(|source| own.contains(source)).collect();
        if inside.is_empty() {
            first.push(*id);
        }
        awaited.extend(inside);
    }
    let last = nodes.iter().copied().filter(|id| !awaited.contains(id)).collect();
    (first, last)
}
