//! Control loops: what makes a part of a loop on another device go round as often as the loop does.
//!
//! A `_Recv` has no inputs, so nothing would run it once per iteration. In every partition that receives
//! inside a loop a small loop of the same frame is added: an Enter, a Merge, a Switch and a NextIteration
//! that carry a number nobody needs. Its Switch takes the predicate of the real loop, received in every
//! iteration unless it is made here. The Merge runs exactly once per iteration, the last included, in which
//! the predicate is false and everything behind it dead: each `_Recv` of the frame waits for it, and finds
//! what the other side sends in that iteration, be it dead. The control loop of an inner frame enters
//! from the Merge of the outer frame's, so that it starts anew in each outer iteration.

use std::collections::{HashMap, HashSet};

use downpour_tensor::{Result, Status, Tensor};

use super::Splitter;
use super::colocate::is_constant;
use crate::attr::Attrs;
use crate::frames::{Frames, Kind, is_next_iteration};
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};

/// What is known of the loops of a step, and the control loops made so far.
#[derive(Default)]
pub(super) struct ControlLoops {
    /// The predicate of each frame.
    conditions: HashMap<u32, NodeId>,
    /// Places that have a loop variable of a frame, which goes round by itself.
    going_round: HashSet<(u32, usize)>,
    /// The Merge of each control loop, by frame and partition.
    merges: HashMap<(u32, usize), NodeId>,
}

impl ControlLoops {
    pub fn of(graph: &Graph, frames: &Frames, places: &[usize]) -> ControlLoops {
        let mut loops = ControlLoops::default();
        for (id, node) in graph.nodes() {
            let frame = frames.of_node[id.index()];
            if node.op_name() == "LoopCond" {
                loops.conditions.entry(frame).or_insert(id);
            }
            let back = |end: &Endpoint| is_next_iteration(graph.node(end.node).op_name());
            if frames.kinds[id.index()] == Kind::Merge && node.inputs.iter().any(back) {
                loops.going_round.insert((frame, places[id.index()]));
            }
        }
        loops
    }
}

impl Splitter<'_> {
    /// A node of partition `part` that runs once in every iteration of `frame`; none outside of loops.
    pub(super) fn every_iteration(&mut self, frame: u32, part: usize) -> Result<Option<NodeId>> {
        if frame == 0 {
            return Ok(None);
        }
        if let Some(&merge) = self.loops.merges.get(&(frame, part)) {
            return Ok(Some(merge));
        }
        let info = self.frames.infos[frame as usize].clone();
        let condition = *self.loops.conditions.get(&frame).ok_or_else(|| {
            Status::invalid_argument(format!(
                "A cross-device loop must have a pivot predicate: the loop '{}' is on several devices \
                 but has no LoopCond",
                info.name
            ))
        })?;
        let name = format!("{}/_control", self.subgraph.graph.node(condition).name);
        let start = match self.every_iteration(info.parent, part)? {
            Some(outer) => outer.into(),
            None => {
                let value = Tensor::scalar(0i32);
                let attrs = Attrs::new().with("dtype", value.dtype()).with("value", value);
                Endpoint::from(self.add(part, &format!("{name}/start"), "Const", &[], attrs)?)
            }
        };
        let attrs = Attrs::new()
            .with("frame_name", info.name)
            .with("parallel_iterations", info.parallel_iterations as i64);
        let enter = self.add(part, &format!("{name}/enter"), "Enter", &[start], attrs)?.into();
        // The back edge takes the second place once it is there.
        let inputs = [enter, enter];
        let merge = self.add(part, &format!("{name}/merge"), "Merge", &inputs, Attrs::new())?;
        // Known before the predicate is received: that waits for the Merge too.
        self.loops.merges.insert((frame, part), merge);
        let goes_on = self.value(condition.into(), part)?;
        let inputs = [merge.into(), goes_on];
        let switch = self.add(part, &format!("{name}/switch"), "Switch", &inputs, Attrs::new())?;
        let inputs = [Endpoint { node: switch, port: 1 }];
        let next =
            self.add(part, &format!("{name}/next"), "NextIteration", &inputs, Attrs::new())?;
        self.partitions[part].graph.node_mut(merge).inputs[1] = next.into();
        Ok(Some(merge))
    }

    /// What a node must wait for that sees only constants of its loop, in a partition where nothing
    /// else makes the loop go round.
    pub(super) fn started_by(&mut self, id: NodeId, part: usize) -> Result<Option<NodeId>> {
        let frame = self.frames.of_node[id.index()];
        let device = self.partitions[part].device;
        if frame == 0 || self.loops.going_round.contains(&(frame, device)) {
            return Ok(None);
        }
        let node = self.subgraph.graph.node(id);
        let sources = node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied());
        let alone = { sources }.all(|source| is_constant(&self.frames, source));
        match self.loops.conditions.get(&frame) {
            Some(condition) if alone && self.places[condition.index()] != device => {
                self.every_iteration(frame, part)
            }
            _ => Ok(None),
        }
    }

    /// The copy in `part` of a constant Enter: what is the same in all iterations crosses once.
    pub(super) fn enter_here(&mut self, enter: &Node, part: usize) -> Result<NodeId> {
        let inputs =
            enter.inputs.iter().map(|&end| self.value(end, part)).collect::<Result<Vec<_>>>()?;
        let controls =
            enter.controls.iter().map(|&source| self.wait(source, part)).collect::<Result<_>>()?;
        let copy = self.copy_to(part, enter)?;
        let node = self.partitions[part].graph.node_mut(copy);
        node.inputs = inputs;
        node.controls = controls;
        Ok(copy)
    }

    /// The frame in which the output of `source` is received in other partitions.
    pub(super) fn crossing_frame(&self, source: NodeId) -> Result<u32> {
        let frame = self.frames.of_output(source);
        match self.frames.kinds[source.index()] {
            // Their consumers are on several devices, or they would be beside them (`colocate`).
            Kind::Enter { constant: false, .. } | Kind::NextIteration => {
                let name = &self.subgraph.graph.node(source).name;
                Err(Status::unimplemented(format!(
                    "'{name}' is used on several devices: a value that enters an iteration of the loop \
                     '{}' must be used on one device; put an Identity behind the loop's Merge",
                    self.frames.infos[frame as usize].name
                ))
                .at_node(name))
            }
            _ => Ok(frame),
        }
    }
}
