//! Moves free nodes to where they make fewer bytes cross.
//!
//! A node that only picks from a value or changes its type, and that nobody put anywhere, need not be where
//! free nodes go: before a value crosses to another device it may as well be cut down, and grown after. For
//! such a node the devices of its inputs and of its consumers are compared by what would cross if it ran
//! there; operations with real work stay, however many bytes they take. One pass along the edges lets
//! chains follow their source, one pass back lets them follow their consumer. Nodes in loops stay too: there
//! a value crosses once per iteration and brings the loop's predicate with it.

use crate::frames;
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::partition::copied_constant;
use crate::static_shape::StaticShapes;

/// What a message costs besides its contents, in bytes that could be sent meanwhile.
const MESSAGE: u64 = 4096;

/// How many elements a value is taken to have where that is not known but a result's size hangs on it.
const ASSUMED_ELEMENTS: usize = 1024;

/// Moves nodes among those that `is_free` allows; `home` is where results go that nobody takes.
pub(super) fn move_fewer_bytes(
    graph: &Graph,
    is_free: &dyn Fn(NodeId) -> bool,
    home: usize,
    places: &mut [usize],
) {
    let mut awaited = vec![false; graph.len()];
    for (_, node) in graph.nodes() {
        node.controls.iter().for_each(|source| awaited[source.index()] = true);
    }
    let free = |id: &NodeId| {
        let node = graph.node(*id);
        is_light(node) && node.controls.is_empty() && !awaited[id.index()] && is_free(*id)
    };
    let mut free: Vec<NodeId> = graph.ids().filter(free).collect();
    if free.is_empty() {
        return;
    }
    // A graph whose loops are not well formed is refused when it is run; that is not our business.
    let Ok(order) = frames::topological_order(graph) else { return };
    let Ok(frames) = frames::assign(graph, &order) else { return };
    free.retain(|id| frames.of_node[id.index()] == 0);
    let mut position = vec![0; graph.len()];
    for (i, id) in order.iter().enumerate() {
        position[id.index()] = i;
    }
    free.sort_by_key(|id| position[id.index()]);
    // At first only what stays counts: free nodes must not hold each other back.
    let mut traffic = Traffic::new(graph, home, places);
    let mut moves = vec![false; graph.len()];
    free.iter().for_each(|id| moves[id.index()] = true);
    graph.ids().filter(|id| !moves[id.index()]).for_each(|id| traffic.settle(id));
    for &id in &free {
        traffic.improve(id);
        traffic.settle(id);
    }
    for &id in free.iter().rev() {
        traffic.unsettle(id);
        traffic.improve(id);
        traffic.settle(id);
    }
}

/// Operations whose work is no more than moving their result.
fn is_light(node: &Node) -> bool {
    let op = node.op_name();
    matches!(op, "Cast" | "Slice" | "StridedSlice" | "Gather" | "GatherV2" | "GatherNd")
        || is_question(op)
}

/// Operations that only ask how large a value is.
fn is_question(op: &str) -> bool {
    matches!(op, "Shape" | "ShapeN" | "Size" | "Rank")
}

struct Traffic<'a> {
    graph: &'a Graph,
    home: usize,
    places: &'a mut [usize],
    shapes: StaticShapes<'a>,
    /// For each output of each node: the devices where settled nodes take it, and by how many edges.
    takers: Vec<Vec<Vec<(usize, u32)>>>,
}

impl<'a> Traffic<'a> {
    fn new(graph: &'a Graph, home: usize, places: &'a mut [usize]) -> Traffic<'a> {
        let outputs = |(_, node): (NodeId, &Node)| vec![Vec::new(); node.output_types.len()];
        let takers = graph.nodes().map(outputs).collect();
        Traffic { graph, home, places, shapes: StaticShapes::new(graph), takers }
    }

    /// From now on the node's inputs are taken where it is.
    fn settle(&mut self, id: NodeId) {
        let place = self.places[id.index()];
        for end in &self.graph.node(id).inputs {
            let takers = &mut self.takers[end.node.index()][end.port as usize];
            match takers.iter_mut().find(|(taker, _)| *taker == place) {
                Some((_, edges)) => *edges += 1,
                None => takers.push((place, 1)),
            }
        }
    }

    fn unsettle(&mut self, id: NodeId) {
        let place = self.places[id.index()];
        for end in &self.graph.node(id).inputs {
            let takers = &mut self.takers[end.node.index()][end.port as usize];
            takers.iter_mut().filter(|(taker, _)| *taker == place).for_each(|(_, n)| *n -= 1);
            takers.retain(|(_, edges)| *edges > 0);
        }
    }

    /// Puts a node where least crosses; it stays where that makes no difference.
    fn improve(&mut self, id: NodeId) {
        let node = self.graph.node(id);
        let here = self.places[id.index()];
        let sources = node.inputs.iter().map(|end| self.places[end.node.index()]);
        let takers = self.takers[id.index()].iter().flatten().map(|(device, _)| *device);
        let mut devices: Vec<usize> = sources.chain(takers).filter(|d| *d != here).collect();
        devices.sort_unstable();
        devices.dedup();
        if devices.is_empty() {
            return;
        }
        let Some(mut least) = self.cost(id, here) else { return };
        let mut best = here;
        for device in devices {
            if let Some(cost) = self.cost(id, device)
                && cost < least
            {
                (best, least) = (device, cost);
            }
        }
        self.places[id.index()] = best;
    }

    /// What crosses because of a node if it runs on `device`; nothing is said where sizes are not known.
    fn cost(&mut self, id: NodeId, device: usize) -> Option<u64> {
        let node = self.graph.node(id);
        let mut cost = 0u64;
        for (i, &end) in node.inputs.iter().enumerate() {
            let seen_before = node.inputs[..i].contains(&end);
            if seen_before || self.places[end.node.index()] == device || self.made_anew(end) {
                continue;
            }
            let takers = &self.takers[end.node.index()][end.port as usize];
            if !takers.iter().any(|(taker, _)| *taker == device) {
                cost = cost.saturating_add(self.crossing(id, end)?);
            }
        }
        for port in 0..node.output_types.len() {
            let takers = &self.takers[id.index()][port];
            let mut crossings = takers.iter().filter(|(taker, _)| *taker != device).count() as u64;
            if takers.is_empty() && device != self.home {
                crossings = 1;
            }
            if crossings > 0 {
                let end = Endpoint { node: id, port: port as u32 };
                cost = cost.saturating_add(self.crossing(id, end)?.saturating_mul(crossings));
            }
        }
        Some(cost)
    }

    /// A constant that is copied, or goes where it is used.
    fn made_anew(&self, end: Endpoint) -> bool {
        let node = self.graph.node(end.node);
        let follows =
            node.op_name() == "Const" && node.controls.is_empty() && node.device.is_empty();
        follows || copied_constant(node)
    }

    /// What one crossing of an input or output of node `id` costs.
    fn crossing(&mut self, id: NodeId, end: Endpoint) -> Option<u64> {
        let assumed = match self.graph.node(id).op_name() {
            // Both sides have as many elements, known or not.
            "Cast" => Some(ASSUMED_ELEMENTS),
            op if is_question(op) => Some(if end.node == id { 1 } else { ASSUMED_ELEMENTS }),
            _ => None,
        };
        let elements = self.shapes.of(end).elements().or(assumed)? as u64;
        let size = self.graph.edge_type(end).dtype.size() as u64;
        (size > 0).then(|| elements.saturating_mul(size).saturating_add(MESSAGE))
    }
}
