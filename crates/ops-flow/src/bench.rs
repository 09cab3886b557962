//! Runs operations one after the other in one step, for tests of state that lives in it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use downpour_graph::{Attrs, Graph, GraphBuilder, Node, OpSpec};
use downpour_runtime::{
    AsyncContext, CancellationToken, ComputePool, FunctionSource, KernelBox, OpContext, Outputs,
    Parallel, Registry, ResourceManager, Step, StepConfig, Value,
};
use downpour_tensor::{Result, Status, Tensor};

pub(crate) struct Bench {
    registry: Registry,
    pub step: Arc<Step>,
}

/// A kernel that may not have finished yet.
pub(crate) struct Pending(Receiver<Result<Outputs>>);

impl Pending {
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.0.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty))
    }

    pub(crate) fn values(self) -> Result<Vec<Value>> {
        self.0
            .recv_timeout(Duration::from_secs(20))
            .map_err(|_| Status::deadline_exceeded("the kernel did not finish"))?
            .map(|outputs| outputs.into_vec())
    }

    pub(crate) fn tensors(self) -> Result<Vec<Tensor>> {
        self.values()?
            .into_iter()
            .map(|v| v.tensor().cloned().ok_or_else(|| Status::internal("not a tensor")))
            .collect()
    }
}

impl Bench {
    pub(crate) fn new(register: fn(&mut Registry) -> Result<()>) -> Bench {
        let mut registry = Registry::new();
        register(&mut registry).unwrap();
        for source in [
            "Source() -> (output: dtype)\n dtype: type",
            "RefSource() -> (output: Ref(dtype))\n dtype: type",
        ] {
            registry.add_without_kernel(OpSpec::new(source).unwrap()).unwrap();
        }
        let step = new_step(Arc::default(), Arc::default());
        Bench { registry, step }
    }

    /// A later step with the same resources.
    pub(crate) fn next_step(&mut self) {
        let session = self.step.session().clone();
        self.step = new_step(self.step.resources().clone(), session);
    }

    fn node(&self, op: &str, attrs: Attrs, inputs: &[Value]) -> Result<Arc<Node>> {
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, self.registry.ops());
        let mut ends = Vec::new();
        for value in inputs {
            let (source, dtype) = match value {
                Value::Tensor(t) => ("Source", t.dtype()),
                Value::Ref(v) => ("RefSource", v.dtype()),
                _ => return Err(Status::internal("an input is missing")),
            };
            ends.push(builder.op(source, &[], Attrs::new().with("dtype", dtype))?);
        }
        let id = builder.add_named("test", op, &ends, attrs)?;
        Ok(Arc::new(graph.node(id).clone()))
    }

    pub(crate) fn start(&self, op: &str, attrs: Attrs, inputs: Vec<Value>) -> Pending {
        self.start_with(None, op, attrs, inputs)
    }

    fn start_with(
        &self,
        functions: Option<&dyn FunctionSource>,
        op: &str,
        attrs: Attrs,
        mut inputs: Vec<Value>,
    ) -> Pending {
        let (send, receive) = channel();
        let begun = self
            .node(op, attrs, &inputs)
            .and_then(|node| Ok((self.registry.make_kernel(&node, functions)?, node)));
        match begun {
            Err(error) => drop(send.send(Err(error))),
            Ok((KernelBox::Sync(kernel), node)) => {
                let mut cx = OpContext::new(&node, &self.step, &mut inputs);
                let result = kernel.compute(&mut cx);
                drop(send.send(result.map(|()| cx.into_outputs())));
            }
            Ok((KernelBox::Async(kernel), node)) => {
                let finish = Box::new(move |result| drop(send.send(result)));
                let inputs = inputs.into_iter().collect();
                kernel.start(AsyncContext::new(node, self.step.clone(), inputs, finish));
            }
        }
        Pending(receive)
    }

    pub(crate) fn values(&self, op: &str, attrs: Attrs, inputs: Vec<Value>) -> Result<Vec<Value>> {
        self.start(op, attrs, inputs).values()
    }

    pub(crate) fn run(
        &self,
        op: &str,
        attrs: Attrs,
        inputs: impl IntoIterator<Item = Tensor>,
    ) -> Result<Vec<Tensor>> {
        self.start(op, attrs, inputs.into_iter().map(Value::Tensor).collect()).tensors()
    }

    pub(crate) fn with_functions(
        &self,
        functions: &dyn FunctionSource,
        op: &str,
        attrs: Attrs,
        inputs: Vec<Tensor>,
    ) -> Result<Vec<Tensor>> {
        let inputs = inputs.into_iter().map(Value::Tensor).collect();
        self.start_with(Some(functions), op, attrs, inputs).tensors()
    }
}

fn new_step(resources: Arc<ResourceManager>, session: Arc<ResourceManager>) -> Arc<Step> {
    let config = StepConfig {
        id: 1,
        resources,
        parallel: Parallel::new(ComputePool::new(1).unwrap(), 1),
        cancellation: CancellationToken::new(),
        device: "/job:localhost/replica:0/task:0/device:CPU:0".into(),
        trace: None,
        rendezvous: None,
    };
    Step::of_session(config, session)
}
