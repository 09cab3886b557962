//! The parts of a loop of Enter, Merge, Switch, NextIteration and Exit.

use std::collections::HashMap;

use downpour_tensor::{Result, Status};

use super::units::LoopFrames;
use crate::frames::{Kind, is_merge, is_next_iteration};
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// One value that each iteration hands to the next.
pub(super) struct Variable {
    pub enter: NodeId,
    pub switch: NodeId,
    pub next: NodeId,
    /// What leaves the loop; usually one.
    pub exits: Vec<NodeId>,
}

impl Variable {
    /// The value at the begin of an iteration.
    pub fn inside(&self) -> Endpoint {
        Endpoint { node: self.switch, port: 1 }
    }
}

pub(super) struct FrameLoop {
    pub frame: u32,
    pub name: String,
    pub parallel_iterations: i64,
    /// The LoopCond.
    pub cond: NodeId,
    pub variables: Vec<Variable>,
    /// Enters of values that are the same in all iterations.
    pub constants: Vec<NodeId>,
}

impl FrameLoop {
    pub fn find(graph: &Graph, loops: &LoopFrames, frame: u32) -> Result<FrameLoop> {
        let info = &loops.frames.infos[frame as usize];
        let broken = |what: &str| {
            Status::unimplemented(format!(
                "the loop '{}' is not built as while_loop builds loops: {what}",
                info.name
            ))
        };
        let known = loops.frames.of_node.len();
        let here = |id: NodeId| loops.frames.of_node[id.index()] == frame;
        let (mut merges, mut switches) = (HashMap::new(), HashMap::new());
        let mut exits: HashMap<Endpoint, Vec<NodeId>> = HashMap::new();
        let mut cond = None;
        for (id, node) in graph.nodes().take(known).filter(|(id, _)| here(*id)) {
            match node.op_name() {
                op if is_merge(op) => {
                    let is_back =
                        |end: &&Endpoint| is_next_iteration(graph.node(end.node).op_name());
                    if let Some(next) = node.inputs.iter().find(is_back) {
                        for end in node.inputs.iter().filter(|end| *end != next) {
                            merges.insert(end.node, (id, next.node));
                        }
                    }
                }
                "Switch" | "RefSwitch"
                    if graph.node(node.inputs[1].node).op_name() == "LoopCond" =>
                {
                    cond = Some(node.inputs[1].node);
                    switches.insert(node.inputs[0].node, id);
                }
                "Exit" | "RefExit" => exits.entry(node.inputs[0]).or_default().push(id),
                _ => {}
            }
        }
        let cond = cond.ok_or_else(|| broken("nothing ends it"))?;
        let (mut variables, mut constants) = (Vec::new(), Vec::new());
        for &enter in loops.enters(frame) {
            if matches!(loops.frames.kinds[enter.index()], Kind::Enter { constant: true, .. }) {
                constants.push(enter);
                continue;
            }
            let (merge, next) =
                *merges.get(&enter).ok_or_else(|| broken("an Enter leads to no Merge"))?;
            let switch =
                *switches.get(&merge).ok_or_else(|| broken("a Merge leads to no Switch"))?;
            let outside = Endpoint { node: switch, port: 0 };
            let exits = exits.get(&outside).cloned().unwrap_or_default();
            variables.push(Variable { enter, switch, next, exits });
        }
        Ok(FrameLoop {
            frame,
            name: info.name.clone(),
            parallel_iterations: info.parallel_iterations as i64,
            cond,
            variables,
            constants,
        })
    }

    pub fn enters(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.variables.iter().map(|v| v.enter).chain(self.constants.iter().copied())
    }
}
