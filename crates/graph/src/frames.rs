//! Which loop frame each node runs in, found before anything runs.
//!
//! An Enter runs in the outer frame and its output lives in the frame it names; an Exit runs in the
//! inner frame and its output lives outside. All other nodes live where their inputs live.

use std::collections::HashMap;

use downpour_tensor::{Result, Status};

use crate::graph::Graph;
use crate::node::{Node, NodeId};

/// What a node does to the flow of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// Argument number i of the run; the executor says which nodes these are.
    Arg(u32),
    Merge,
    Enter {
        frame: u32,
        constant: bool,
    },
    Exit,
    NextIteration,
    ControlTrigger,
    /// A send or a receive, which runs even when it is dead: the other side waits for it.
    Transfer,
}

/// One static frame: frame 0 is the graph outside of all loops.
#[derive(Clone, Debug)]
pub struct FrameInfo {
    pub parent: u32,
    pub name: String,
    pub parallel_iterations: usize,
    /// Number of Enter nodes that feed it.
    pub entries: usize,
}

/// Frames and kinds of all nodes of a graph.
pub struct Frames {
    pub infos: Vec<FrameInfo>,
    /// The frame each node runs in.
    pub of_node: Vec<u32>,
    pub kinds: Vec<Kind>,
}

impl Frames {
    /// The frame a node's outputs live in.
    pub fn of_output(&self, id: NodeId) -> u32 {
        match self.kinds[id.index()] {
            Kind::Enter { frame, .. } => frame,
            Kind::Exit => self.infos[self.of_node[id.index()] as usize].parent,
            _ => self.of_node[id.index()],
        }
    }
}

pub fn is_enter(op: &str) -> bool {
    matches!(op, "Enter" | "RefEnter")
}

pub fn is_next_iteration(op: &str) -> bool {
    matches!(op, "NextIteration" | "RefNextIteration")
}

fn is_exit(op: &str) -> bool {
    matches!(op, "Exit" | "RefExit")
}

pub fn is_merge(op: &str) -> bool {
    matches!(op, "Merge" | "RefMerge")
}

/// Ops that hand values between the parts of a step.
pub fn is_transfer(op: &str) -> bool {
    matches!(op, "_Send" | "_HostSend" | "_Recv" | "_HostRecv")
}

/// Assigns frames along a topological order (in which loops' back edges are left out).
pub fn assign(graph: &Graph, order: &[NodeId]) -> Result<Frames> {
    let root = FrameInfo { parent: 0, name: String::new(), parallel_iterations: 1, entries: 0 };
    let mut frames = Frames {
        infos: vec![root],
        of_node: vec![0; graph.len()],
        kinds: vec![Kind::Plain; graph.len()],
    };
    let mut by_name: HashMap<(u32, String), u32> = HashMap::new();
    for &id in order {
        let node = graph.node(id);
        let frame = frame_of_inputs(graph, id, &frames)?;
        frames.of_node[id.index()] = frame;
        let op = node.op_name();
        frames.kinds[id.index()] = if is_enter(op) {
            enter(node, frame, &mut frames, &mut by_name)?
        } else if is_exit(op) {
            if frame == 0 {
                return Err(Status::invalid_argument(format!(
                    "Exit node '{}' is in no frame: there is no Enter before it",
                    node.name
                ))
                .at_node(&node.name));
            }
            Kind::Exit
        } else if is_next_iteration(op) {
            Kind::NextIteration
        } else if is_merge(op) {
            Kind::Merge
        } else if op == "ControlTrigger" {
            Kind::ControlTrigger
        } else if is_transfer(op) {
            Kind::Transfer
        } else {
            Kind::Plain
        };
    }
    check_back_edges(graph, &frames)?;
    Ok(frames)
}

fn enter(
    node: &Node,
    parent: u32,
    frames: &mut Frames,
    by_name: &mut HashMap<(u32, String), u32>,
) -> Result<Kind> {
    let name = node.string("frame_name")?;
    let parallel = usize::try_from(node.int("parallel_iterations")?).unwrap_or(1).max(1);
    let infos = &mut frames.infos;
    let frame = *by_name.entry((parent, name.clone())).or_insert_with(|| {
        infos.push(FrameInfo { parent, name, parallel_iterations: parallel, entries: 0 });
        infos.len() as u32 - 1
    });
    infos[frame as usize].entries += 1;
    Ok(Kind::Enter { frame, constant: node.bool("is_constant")? })
}

fn frame_of_inputs(graph: &Graph, id: NodeId, frames: &Frames) -> Result<u32> {
    let node = graph.node(id);
    let sources = node.inputs.iter().map(|e| e.node).chain(node.controls.iter().copied());
    let mut found: Option<(u32, NodeId)> = None;
    for source in sources {
        // The back edge of a loop comes from a node that has no frame yet.
        if is_merge(node.op_name()) && is_next_iteration(graph.node(source).op_name()) {
            continue;
        }
        let frame = frames.of_output(source);
        match found {
            None => found = Some((frame, source)),
            Some((first, other)) if first != frame => {
                let name = |f: u32| &frames.infos[f as usize].name;
                return Err(Status::invalid_argument(format!(
                    "{{{{node {}}}}} has inputs from different frames. The input {{{{node {}}}}} is in \
                     frame '{}'. The input {{{{node {}}}}} is in frame '{}'.",
                    node.name,
                    graph.node(other).name,
                    name(first),
                    graph.node(source).name,
                    name(frame),
                )));
            }
            Some(_) => {}
        }
    }
    Ok(found.map_or(0, |(frame, _)| frame))
}

fn check_back_edges(graph: &Graph, frames: &Frames) -> Result<()> {
    for (id, node) in graph.nodes() {
        if !is_merge(node.op_name()) {
            continue;
        }
        for source in &node.inputs {
            let back = is_next_iteration(graph.node(source.node).op_name());
            if back && frames.of_node[source.node.index()] != frames.of_node[id.index()] {
                return Err(Status::invalid_argument(format!(
                    "NextIteration '{}' and Merge '{}' are in different frames",
                    graph.node(source.node).name,
                    node.name
                )));
            }
        }
    }
    Ok(())
}

/// Nodes in an order in which inputs come first, back edges of loops left out. A cycle is refused.
pub fn topological_order(graph: &Graph) -> Result<Vec<NodeId>> {
    let mut waiting = vec![0u32; graph.len()];
    let mut consumers: Vec<Vec<NodeId>> = vec![Vec::new(); graph.len()];
    for (id, node) in graph.nodes() {
        let merge = is_merge(node.op_name());
        let sources = node.inputs.iter().map(|e| e.node).chain(node.controls.iter().copied());
        for source in sources {
            if merge && is_next_iteration(graph.node(source).op_name()) {
                continue;
            }
            waiting[id.index()] += 1;
            consumers[source.index()].push(id);
        }
    }
    let mut order: Vec<NodeId> = graph.ids().filter(|id| waiting[id.index()] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        let id = order[next];
        next += 1;
        for &consumer in &consumers[id.index()] {
            waiting[consumer.index()] -= 1;
            if waiting[consumer.index()] == 0 {
                order.push(consumer);
            }
        }
    }
    if order.len() < graph.len() {
        let stuck: Vec<&str> = graph
            .ids()
            .filter(|id| waiting[id.index()] > 0)
            .take(5)
            .map(|id| graph.node(id).name.as_str())
            .collect();
        return Err(Status::invalid_argument(format!(
            "Graph is invalid, contains a cycle with {} nodes, including: {}",
            graph.len() - order.len(),
            stuck.join(", ")
        )));
    }
    Ok(order)
}
