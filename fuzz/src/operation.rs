//! One operation with its attributes, run on inputs without a session.

use std::sync::{Arc, LazyLock};

use downpour_graph::{Attrs, Graph, GraphBuilder, Node};
use downpour_runtime::{
    CancellationToken, ComputePool, KernelBox, OpContext, Parallel, Registry, ResourceManager,
    Step, StepConfig, Value,
};
use downpour_tensor::{DataType, Result, Status, Tensor};

static REGISTRY: LazyLock<Registry> =
    LazyLock::new(|| downpour_ops::registry().expect("our own lists are consistent"));

/// An operation that computes at once.
pub struct Operation {
    node: Arc<Node>,
    kernel: KernelBox,
    step: Arc<Step>,
}

impl Operation {
    /// Makes the operation with inputs of these types.
    pub fn new(name: &str, attrs: Attrs, inputs: &[DataType]) -> Result<Operation> {
        downpour_tensor::set_memory_limit(256 << 20);
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, REGISTRY.ops());
        let ends = inputs
            .iter()
            .map(|&dtype| builder.op("Placeholder", &[], Attrs::new().with("dtype", dtype)))
            .collect::<Result<Vec<_>>>()?;
        let id = builder.add_named("fuzzed", name, &ends, attrs)?;
        let node = Arc::new(graph.node(id).clone());
        let kernel = REGISTRY.make_kernel(&node, None)?;
        let pool = ComputePool::new(1).map_err(|e| Status::internal(format!("no thread: {e}")))?;
        let step = Step::new(StepConfig {
            id: 1,
            resources: Arc::new(ResourceManager::new()),
            parallel: Parallel::new(pool, 1),
            cancellation: CancellationToken::new(),
            device: "/job:localhost/replica:0/task:0/device:CPU:0".into(),
            trace: None,
            rendezvous: None,
        });
        Ok(Operation { node, kernel, step })
    }

    /// Runs it and returns its tensors.
    pub fn run(&self, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let KernelBox::Sync(kernel) = &self.kernel else {
            return Err(Status::unimplemented("this operation does not compute at once"));
        };
        let mut inputs: Vec<Value> = inputs.into_iter().map(Value::Tensor).collect();
        let mut cx = OpContext::new(&self.node, &self.step, &mut inputs);
        kernel.compute(&mut cx)?;
        let outputs = cx.into_outputs().into_iter().map(|value| match value {
            Value::Tensor(tensor) => Ok(tensor),
            _ => Err(Status::internal("an output was not set")),
        });
        outputs.collect()
    }
}
