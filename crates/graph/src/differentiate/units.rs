//! What differentiation visits at one level: nodes, and whole loops of Enter and Exit as one thing each.

use std::collections::HashMap;

use downpour_tensor::Result;

use crate::frames::{Frames, Kind, assign, topological_order};
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// A node of the level, or a loop inside it with everything in that loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    Node(NodeId),
    /// By the number of its frame.
    Loop(u32),
}

/// The frames of a graph as it was before anything was added to it.
pub(super) struct LoopFrames {
    pub frames: Frames,
    pub order: Vec<NodeId>,
    enters: HashMap<u32, Vec<NodeId>>,
}

impl LoopFrames {
    /// Nothing where the graph has no such loops.
    pub fn find(graph: &Graph) -> Result<Option<LoopFrames>> {
        if !graph.nodes().any(|(_, node)| node.op_name() == "LoopCond") {
            return Ok(None);
        }
        let order = topological_order(graph)?;
        let frames = assign(graph, &order)?;
        let mut enters: HashMap<u32, Vec<NodeId>> = HashMap::new();
        for id in graph.ids() {
            if let Kind::Enter { frame, .. } = frames.kinds[id.index()] {
                enters.entry(frame).or_default().push(id);
            }
        }
        Ok(Some(LoopFrames { frames, order, enters }))
    }

    pub fn enters(&self, frame: u32) -> &[NodeId] {
        self.enters.get(&frame).map_or(&[], Vec::as_slice)
    }
}

/// One frame's view of a graph: the nodes in it, and the loops directly inside.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    pub loops: Option<&'a LoopFrames>,
    pub frame: u32,
}

impl Level<'_> {
    /// Every node for itself.
    pub fn flat() -> Level<'static> {
        Level { loops: None, frame: 0 }
    }

    /// What a node belongs to; nothing where it lies outside of the level, or leads out of it.
    pub fn unit(&self, id: NodeId) -> Option<Unit> {
        let Some(loops) = self.loops else { return Some(Unit::Node(id)) };
        let frames = &loops.frames;
        let home = *frames.of_node.get(id.index())?;
        match frames.kinds[id.index()] {
            Kind::Enter { frame, .. } if frame == self.frame => return Some(Unit::Node(id)),
            Kind::Enter { frame, .. } if home == self.frame => return Some(Unit::Loop(frame)),
            Kind::Exit | Kind::NextIteration if home == self.frame && home != 0 => return None,
            _ => {}
        }
        let mut frame = home;
        if frame == self.frame {
            return Some(Unit::Node(id));
        }
        while frame != 0 {
            let parent = frames.infos[frame as usize].parent;
            if parent == self.frame {
                return Some(Unit::Loop(frame));
            }
            frame = parent;
        }
        None
    }

    /// What a unit depends on.
    pub fn inputs(&self, graph: &Graph, unit: Unit) -> Vec<Endpoint> {
        match unit {
            Unit::Node(id) => graph.node(id).inputs.clone(),
            Unit::Loop(frame) => self.loops.map_or_else(Vec::new, |loops| {
                let enters = loops.enters(frame).iter();
                enters.flat_map(|id| graph.node(*id).inputs.iter().copied()).collect()
            }),
        }
    }
}
