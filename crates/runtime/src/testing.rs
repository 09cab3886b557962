//! Runs one operation on given inputs, for the tests beside each kernel.
//!
//! ```text
//! let out = OpTest::new(register, "Relu").input(Tensor::vector(&[-1f32, 2.0])?).run()?;
//! ```

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use downpour_graph::{
    AttrValue, Attrs, Graph, GraphBuilder, Node, OpSpec, PartialShape, ShapeContext,
};
use downpour_tensor::{DataType, Result, Status, Tensor};
use smallvec::SmallVec;

use crate::async_context::AsyncContext;
use crate::cancellation::CancellationToken;
use crate::context::OpContext;
use crate::kernel::KernelBox;
use crate::pool::{ComputePool, Parallel};
use crate::registry::Registry;
use crate::resource::ResourceManager;
use crate::step::{Step, StepConfig};
use crate::value::Value;
use crate::variable::Variable;

/// One operation, its attributes and inputs.
pub struct OpTest {
    registry: Registry,
    op: String,
    attrs: Attrs,
    inputs: Vec<Value>,
    resources: Arc<ResourceManager>,
    cancellation: CancellationToken,
}

impl OpTest {
    /// `register` is the family's (or file's) registration function.
    pub fn new(register: impl FnOnce(&mut Registry) -> Result<()>, op: &str) -> OpTest {
        let mut registry = Registry::new();
        register(&mut registry).expect("the family's list registers without duplicates");
        let source = "Source() -> (output: dtype)\n dtype: type";
        registry
            .add_without_kernel(OpSpec::new(source).expect("a valid signature"))
            .expect("no operation is called Source");
        OpTest {
            registry,
            op: op.to_string(),
            attrs: Attrs::new(),
            inputs: Vec::new(),
            resources: Arc::new(ResourceManager::new()),
            cancellation: CancellationToken::new(),
        }
    }

    pub fn attr(mut self, name: &str, value: impl Into<AttrValue>) -> OpTest {
        self.attrs.set(name, value);
        self
    }

    pub fn input(mut self, tensor: Tensor) -> OpTest {
        self.inputs.push(Value::Tensor(tensor));
        self
    }

    /// A reference input, as VariableV2 gives.
    pub fn reference(mut self, variable: &Arc<Variable>) -> OpTest {
        self.inputs.push(Value::Ref(variable.clone()));
        self
    }

    /// The resources kernels see; share one between several tests of the same state.
    pub fn resources(mut self, resources: &Arc<ResourceManager>) -> OpTest {
        self.resources = resources.clone();
        self
    }

    /// The step has been cancelled already.
    pub fn cancelled(self) -> OpTest {
        self.cancellation.cancel();
        self
    }

    fn node(&self) -> Result<Arc<Node>> {
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, self.registry.ops());
        let mut ends = Vec::new();
        for value in &self.inputs {
            let dtype = match value {
                Value::Tensor(t) => t.dtype(),
                Value::Ref(v) => v.dtype(),
                Value::None | Value::Dead => DataType::Float,
            };
            ends.push(builder.op("Source", &[], Attrs::new().with("dtype", dtype))?);
        }
        let id = builder.add_named("test", &self.op, &ends, self.attrs.clone())?;
        Ok(Arc::new(graph.node(id).clone()))
    }

    /// The shapes the shape function gives for these inputs, all of whose values are known.
    pub fn infer(&self) -> Result<Vec<PartialShape>> {
        let constants: Vec<Option<Tensor>> =
            self.inputs.iter().map(|v| v.tensor().cloned()).collect();
        let shapes: Vec<PartialShape> = constants
            .iter()
            .map(|t| t.as_ref().map_or(PartialShape::unknown(), |t| t.shape().into()))
            .collect();
        let node = self.node()?;
        let mut cx = ShapeContext::new(&node, &shapes, &constants);
        (node.op.shape)(&mut cx)?;
        Ok(cx.into_outputs())
    }

    /// Runs the kernel and returns its tensors; also checks them against the shape function.
    pub fn run(self) -> Result<Vec<Tensor>> {
        let inferred = self.infer();
        let outputs = self.run_values()?;
        let tensors: Vec<Tensor> = outputs
            .into_iter()
            .map(|v| match v {
                Value::Tensor(t) => Ok(t),
                Value::Ref(variable) => variable.read(),
                _ => Err(Status::internal("an output was not set")),
            })
            .collect::<Result<_>>()?;
        for (i, (tensor, shape)) in tensors.iter().zip(inferred?).enumerate() {
            assert!(
                shape.allows(tensor.dims()),
                "output {i} has shape {} but the shape function says {shape}",
                tensor.shape()
            );
        }
        Ok(tensors)
    }

    /// Runs the kernel and returns raw values (references, dead outputs).
    pub fn run_values(self) -> Result<Vec<Value>> {
        let node = self.node()?;
        let kernel = self.registry.make_kernel(&node, None)?;
        let pool = ComputePool::new(2)
            .map_err(|e| Status::internal(format!("no threads for a test: {e}")))?;
        let step = Step::new(StepConfig {
            id: 1,
            resources: self.resources.clone(),
            parallel: Parallel::new(pool, 2),
            cancellation: self.cancellation.clone(),
            device: "/job:localhost/replica:0/task:0/device:CPU:0".into(),
            trace: None,
            rendezvous: None,
        });
        let mut inputs: SmallVec<[Value; 4]> = self.inputs.into_iter().collect();
        match kernel {
            KernelBox::Sync(kernel) => {
                let mut cx = OpContext::new(&node, &step, &mut inputs);
                kernel.compute(&mut cx)?;
                Ok(cx.into_outputs().into_vec())
            }
            KernelBox::Async(kernel) => {
                let (send, receive) = mpsc::channel();
                let finish = Box::new(move |result| drop(send.send(result)));
                kernel.start(AsyncContext::new(node, step, inputs, finish));
                receive
                    .recv_timeout(Duration::from_secs(300))
                    .map_err(|_| Status::deadline_exceeded("the kernel did not finish"))?
                    .map(|outputs| outputs.into_vec())
            }
        }
    }

    /// Runs an operation with one output.
    pub fn run_one(self) -> Result<Tensor> {
        let mut tensors = self.run()?;
        match tensors.len() {
            1 => Ok(tensors.remove(0)),
            n => Err(Status::internal(format!("expected one output, got {n}"))),
        }
    }
}
