//! What a worker keeps for one master's session: registered graphs, and the steps that run them.
//!
//! Unlike a `Session`, a worker's graphs come pruned and placed: feeds and fetches are receives and sends
//! through the step's rendezvous, and every node of a graph runs in every step.

use std::sync::Arc;

use downpour_graph::passes::Subgraph;
use downpour_graph::{FunctionLibrary, Graph, NodeId, export_graph, import_graph};
use downpour_tensor::{Result, Tensor};
use downpour_wire::proto::GraphDef;

use crate::cancellation::CancellationToken;
use crate::executor::{FunctionRuntime, KernelCache, Plan, Run, RunOptions, Straight};
use crate::optimize::optimize;
use crate::pool::Parallel;
use crate::registry::Registry;
use crate::rendezvous::Rendezvous;
use crate::resource::ResourceManager;
use crate::session::{Device, SessionOptions};
use crate::step::{Step, StepConfig};
use crate::trace::StepTrace;

pub struct WorkerSession {
    registry: Arc<Registry>,
    device: Arc<Device>,
    resources: Arc<ResourceManager>,
    /// What ends with the session.
    own: Arc<ResourceManager>,
    kernels: KernelCache,
}

/// A partition, compiled.
pub struct RegisteredGraph {
    plan: Arc<Plan>,
    graph: Graph,
    inter_op: usize,
    intra_op: usize,
}

/// What one run of a registered graph needs.
pub struct WorkerStep {
    pub id: i64,
    pub cancellation: CancellationToken,
    pub rendezvous: Arc<dyn Rendezvous>,
    pub trace: Option<Arc<StepTrace>>,
}

impl WorkerSession {
    /// A session with variables of its own, or with the device's.
    pub fn new(registry: Arc<Registry>, device: Arc<Device>, isolate: bool) -> WorkerSession {
        let resources = match isolate {
            true => Arc::new(ResourceManager::new()),
            false => device.resources().clone(),
        };
        let (own, kernels) = (Arc::default(), KernelCache::default());
        WorkerSession { registry, device, resources, own, kernels }
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    pub fn resources(&self) -> &Arc<ResourceManager> {
        &self.resources
    }

    /// Resources that end with the session.
    pub fn own_resources(&self) -> &ResourceManager {
        &self.own
    }

    /// Compiles a partition.
    pub fn register(&self, proto: &GraphDef, options: &SessionOptions) -> Result<RegisteredGraph> {
        let threads = self.device.pool().threads();
        let or_all = |n: usize| if n == 0 { threads } else { n };
        let (inter_op, intra_op) = (or_all(options.inter_op), or_all(options.intra_op));
        let mut library = FunctionLibrary::new();
        if let Some(functions) = &proto.library {
            library.extend(functions)?;
        }
        let mut graph = Graph::new();
        import_graph(&mut graph, proto, self.registry.ops(), &library)?;
        let functions = FunctionRuntime::new(
            self.registry.clone(),
            Arc::new(library),
            inter_op,
            options.graph.clone(),
        );
        let targets = ends(&graph);
        let subgraph = Subgraph { graph, args: Vec::new(), fetches: Vec::new(), targets };
        let subgraph = optimize(subgraph, &self.registry, &options.graph)?;
        let straight = if inter_op == 1 { Straight::All } else { Straight::None };
        let plan =
            Plan::compile(&subgraph, &self.registry, &self.kernels, Some(&*functions), &straight)?;
        // The plan's kernels hold handles of the functions they call, which keep the runtime's weak
        // side; the runtime itself must live as long as the graph.
        let plan = Arc::new(plan.keeping(functions));
        Ok(RegisteredGraph { plan, graph: subgraph.graph, inter_op, intra_op })
    }

    /// Starts a step; `done` is called once, perhaps before this returns. The caller's thread computes.
    pub fn run(
        &self,
        graph: &RegisteredGraph,
        step: WorkerStep,
        done: impl FnOnce(Result<()>) + Send + 'static,
    ) {
        let config = StepConfig {
            id: step.id,
            resources: self.resources.clone(),
            parallel: Parallel::new(self.device.pool().clone(), graph.intra_op),
            cancellation: step.cancellation,
            device: self.device.name().into(),
            trace: step.trace,
            rendezvous: Some(step.rendezvous),
        };
        let step = Step::of_session(config, self.own.clone());
        let options = RunOptions { inter_op: graph.inter_op, cancel_on_error: true };
        let done = move |result: Result<Vec<Tensor>>| done(result.map(drop));
        Run::start(&graph.plan, &step, Vec::new(), options, Box::new(done));
    }
}

impl RegisteredGraph {
    /// The graph as it runs, after all rewriting.
    pub fn export(&self) -> Result<GraphDef> {
        export_graph(&self.graph)
    }
}

/// Nodes that no other node needs, and those with effects: what a step must run.
fn ends(graph: &Graph) -> Vec<NodeId> {
    let mut needed = vec![false; graph.len()];
    for (_, node) in graph.nodes() {
        node.inputs.iter().for_each(|end| needed[end.node.index()] = true);
        node.controls.iter().for_each(|control| needed[control.index()] = true);
    }
    let is_end = |id: &NodeId| !needed[id.index()] || graph.node(*id).op.def.is_stateful;
    graph.ids().filter(is_end).collect()
}
