//! The plan: everything about a subgraph that does not change from step to step, as flat arrays.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use downpour_graph::frames::{self, Frames, Kind, is_transfer};
use downpour_graph::passes::Subgraph;
use downpour_graph::{Endpoint, Graph, Node, NodeId};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::function::FunctionRuntime;
use super::iteration::IterationState;
use super::straight::{Collapsed, Straight, collapse};
use crate::frame_iteration::hash_name;
use crate::kernel::{FunctionSource, KernelBox};
use crate::registry::Registry;

/// Where one output goes: an input place of a consumer in the same frame instance.
#[derive(Clone, Copy)]
pub(super) struct DataEdge {
    pub port: u32,
    pub consumer: u32,
    /// Place in the consumer's iteration.
    pub slot: u32,
    /// True for the last edge of this port: the value moves instead of being shared.
    pub last: bool,
}

pub(super) struct PlanNode {
    pub node: Arc<Node>,
    pub kernel: Arc<KernelBox>,
    pub kind: Kind,
    pub frame: u32,
    /// First input place and number of inputs.
    pub slots: (u32, u32),
    /// Place of its counter in the iteration.
    pub counter: u32,
    pub edges: Box<[DataEdge]>,
    pub control_edges: Box<[u32]>,
    /// (port, fetch number) pairs.
    pub fetches: Box<[(u32, u32)]>,
    /// Some input comes from a reference.
    pub has_reference_inputs: bool,
    /// An Identity of a reference; see `carries_reference`.
    pub forwards_reference: bool,
    /// Measured cost in nanoseconds, smoothed; starts high or low by the kernel's own word.
    pub cost: AtomicU32,
}

pub(super) struct FramePlan {
    /// What each counter of an iteration starts from.
    pub counters: Box<[u64]>,
    pub slots: usize,
    pub parallel_iterations: usize,
    pub entries: usize,
    /// Of the frame's name: its part in the numbers of instances.
    pub name_hash: u64,
}

/// A compiled subgraph, shared by all its steps.
pub struct Plan {
    pub(super) nodes: Box<[PlanNode]>,
    pub(super) frames: Box<[FramePlan]>,
    /// Nodes of the root frame that wait for nothing.
    pub(super) roots: Box<[u32]>,
    args: usize,
    fetches: usize,
    /// What the functions that kernels call belong to.
    functions: Option<Arc<FunctionRuntime>>,
    /// Root iterations of finished steps, kept for the next.
    pub(super) spare: Mutex<Vec<IterationState>>,
}

/// Kernels with state, which all plans of a session share by node name.
#[derive(Default)]
pub struct KernelCache(Mutex<HashMap<String, Arc<KernelBox>>>);

impl KernelCache {
    fn get(
        &self,
        registry: &Registry,
        node: &Arc<Node>,
        functions: Option<&dyn FunctionSource>,
    ) -> Result<Arc<KernelBox>> {
        // Transfers have effects but no state, and what they are called differs from graph to graph.
        if !node.op.def.is_stateful || is_transfer(node.op_name()) {
            return registry.make_kernel(node, functions).map(Arc::new);
        }
        if let Some(kernel) = self.0.lock().get(&node.name) {
            return Ok(kernel.clone());
        }
        // Made outside of the lock: a kernel's functions may compile plans of their own.
        let kernel = Arc::new(registry.make_kernel(node, functions)?);
        Ok(self.0.lock().entry(node.name.clone()).or_insert(kernel).clone())
    }
}

/// The cost of a node that has not run yet: assumed high until it is known.
pub(super) const UNKNOWN_COST: u32 = u32::MAX;

impl Plan {
    /// Compiles a subgraph. Errors name the node at fault.
    pub fn compile(
        subgraph: &Subgraph,
        registry: &Registry,
        kernels: &KernelCache,
        functions: Option<&dyn FunctionSource>,
        straight: &Straight<'_>,
    ) -> Result<Plan> {
        let make = |node: &Arc<Node>| kernels.get(registry, node, functions);
        let collapsed = collapse(subgraph, straight, &make)?;
        let (subgraph, loops) = match &collapsed {
            Some(Collapsed { subgraph, kernels }) => (subgraph, Some(kernels)),
            None => (subgraph, None),
        };
        let graph = &subgraph.graph;
        let order = frames::topological_order(graph)?;
        let mut frames = frames::assign(graph, &order)?;
        for (i, &arg) in subgraph.args.iter().enumerate() {
            frames.kinds[arg.index()] = Kind::Arg(i as u32);
        }
        let layout = Layout::new(graph, &frames);
        let mut consumers = Consumers::new(graph, &layout);
        let mut fetches: HashMap<NodeId, Vec<(u32, u32)>> = HashMap::new();
        for (i, end) in subgraph.fetches.iter().enumerate() {
            fetches.entry(end.node).or_default().push((end.port, i as u32));
        }
        let mut nodes = Vec::with_capacity(graph.len());
        for (id, node) in graph.nodes() {
            let shared = Arc::new(node.clone());
            let kernel = match (frames.kinds[id.index()], loops.and_then(|l| l.get(&node.name))) {
                (Kind::Arg(_), _) => Arc::new(KernelBox::cheap(|_| Ok(()))),
                (_, Some(program)) => program.clone(),
                (_, None) => make(&shared)?,
            };
            check_references(graph, node)?;
            let expensive = match &*kernel {
                KernelBox::Sync(kernel) => kernel.expensive(),
                KernelBox::Async(kernel) => kernel.expensive(),
            };
            nodes.push(PlanNode {
                has_reference_inputs: node.inputs.iter().any(|e| carries_reference(graph, *e)),
                forwards_reference: forwards_reference(graph, node),
                slots: (layout.first_slot[id.index()], node.inputs.len() as u32),
                counter: layout.counter[id.index()],
                frame: frames.of_node[id.index()],
                kind: frames.kinds[id.index()],
                node: shared,
                kernel,
                edges: std::mem::take(&mut consumers.data[id.index()]).into(),
                control_edges: std::mem::take(&mut consumers.control[id.index()]).into(),
                fetches: fetches.remove(&id).unwrap_or_default().into(),
                cost: AtomicU32::new(if expensive { UNKNOWN_COST } else { 0 }),
            });
        }
        let roots = (0..nodes.len() as u32)
            .filter(|&i| {
                let node = &nodes[i as usize];
                let frame = &layout.frames[node.frame as usize];
                node.frame == 0 && frame.counters[node.counter as usize] == 0
            })
            .collect();
        Ok(Plan {
            nodes: nodes.into(),
            frames: layout.frames.into(),
            roots,
            args: subgraph.args.len(),
            fetches: subgraph.fetches.len(),
            functions: None,
            spare: Mutex::default(),
        })
    }

    /// The same plan, which now keeps its functions alive (a session does that for its own plans).
    pub fn keeping(mut self, functions: Arc<FunctionRuntime>) -> Plan {
        self.functions = Some(functions);
        self
    }

    pub fn args(&self) -> usize {
        self.args
    }

    pub fn fetches(&self) -> usize {
        self.fetches
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn has_loops(&self) -> bool {
        self.frames.len() > 1
    }

    /// Measured nanoseconds of every node that has run, by name.
    pub fn costs(&self) -> HashMap<String, u32> {
        let cost = |node: &PlanNode| (node.node.name.clone(), node.cost.load(Ordering::Relaxed));
        self.nodes.iter().map(cost).filter(|(_, cost)| *cost != UNKNOWN_COST).collect()
    }
}

impl PlanNode {
    pub fn is_cheap(&self) -> bool {
        self.cost.load(Ordering::Relaxed) < super::run::CHEAP_NANOSECONDS
    }
}

/// True for an edge on which a variable travels instead of its value.
///
/// A client reads a reference variable through an Identity that waits for nothing, and expects operations
/// behind it that wait for an update to see the update: in TensorFlow the Identity shares the variable's
/// memory. Here it hands the reference on, and whoever needs the value reads it when it runs.
pub(super) fn carries_reference(graph: &Graph, end: Endpoint) -> bool {
    graph.edge_type(end).is_ref || forwards_reference(graph, graph.node(end.node))
}

fn forwards_reference(graph: &Graph, node: &Node) -> bool {
    let mut node = node;
    while node.op_name() == "Identity" && node.inputs.len() == 1 {
        if graph.edge_type(node.inputs[0]).is_ref {
            return true;
        }
        node = graph.node(node.inputs[0].node);
    }
    false
}

/// Places of counters and inputs inside each frame's iterations.
struct Layout {
    frames: Vec<FramePlan>,
    counter: Vec<u32>,
    first_slot: Vec<u32>,
}

impl Layout {
    fn new(graph: &Graph, frames: &Frames) -> Layout {
        let mut counters: Vec<Vec<u64>> = vec![Vec::new(); frames.infos.len()];
        let mut slots = vec![0u32; frames.infos.len()];
        let (mut counter, mut first_slot) = (Vec::new(), Vec::new());
        for (id, node) in graph.nodes() {
            let frame = frames.of_node[id.index()] as usize;
            counter.push(counters[frame].len() as u32);
            first_slot.push(slots[frame]);
            slots[frame] += node.inputs.len() as u32;
            counters[frame].push(match frames.kinds[id.index()] {
                // See `IterationState::arrive_at_merge`.
                Kind::Merge => 1 + 2 * node.controls.len() as u64,
                _ => (node.inputs.len() + node.controls.len()) as u64,
            });
        }
        let plans = frames.infos.iter().zip(counters).zip(slots);
        let frames = plans
            .map(|((info, counters), slots)| FramePlan {
                counters: counters.into(),
                slots: slots as usize,
                parallel_iterations: info.parallel_iterations,
                entries: info.entries,
                name_hash: hash_name(&info.name),
            })
            .collect();
        Layout { frames, counter, first_slot }
    }
}

/// A reference must come from a variable; a fed value is none.
fn check_references(graph: &Graph, node: &Node) -> Result<()> {
    for (i, (end, expected)) in node.inputs.iter().zip(&node.input_types).enumerate() {
        if expected.is_ref && !graph.edge_type(*end).is_ref {
            return Err(Status::invalid_argument(format!(
                "input {i} of {} must be a reference to a variable and cannot be fed",
                node.op_name()
            ))
            .at_node(&node.name));
        }
    }
    Ok(())
}

/// The edges that leave every node, found in one pass over all inputs.
struct Consumers {
    data: Vec<Vec<DataEdge>>,
    control: Vec<Vec<u32>>,
}

impl Consumers {
    fn new(graph: &Graph, layout: &Layout) -> Consumers {
        let mut data: Vec<Vec<DataEdge>> = (0..graph.len()).map(|_| Vec::new()).collect();
        let mut control: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
        for (id, node) in graph.nodes() {
            for (i, end) in node.inputs.iter().enumerate() {
                let slot = layout.first_slot[id.index()] + i as u32;
                let edge = DataEdge { port: end.port, consumer: id.0, slot, last: false };
                data[end.node.index()].push(edge);
            }
            for source in &node.controls {
                control[source.index()].push(id.0);
            }
        }
        for edges in &mut data {
            let mut seen = Vec::new();
            for edge in edges.iter_mut().rev() {
                if !seen.contains(&edge.port) {
                    edge.last = true;
                    seen.push(edge.port);
                }
            }
        }
        Consumers { data, control }
    }
}
