//! What a kernel sees while it computes.

use std::sync::Arc;

use downpour_graph::Node;
use downpour_tensor::{ResourceHandle, Result, Status, Tensor};

use crate::cancellation::CancellationToken;
use crate::frame_iteration::FrameIteration;
use crate::pool::Parallel;
use crate::resource::{Resource, ResourceManager};
use crate::step::Step;
use crate::value::{Outputs, Value};
use crate::variable::Variable;

/// Inputs, places for outputs, and the step around them.
///
/// The executor guarantees that inputs have the types the node declares; shapes and values are the
/// kernel's to check.
pub struct OpContext<'a> {
    node: &'a Arc<Node>,
    step: &'a Arc<Step>,
    inputs: &'a mut [Value],
    outputs: Outputs,
    place: FrameIteration,
}

impl<'a> OpContext<'a> {
    pub fn new(node: &'a Arc<Node>, step: &'a Arc<Step>, inputs: &'a mut [Value]) -> OpContext<'a> {
        let mut outputs = Outputs::new();
        outputs.resize_with(node.output_types.len(), || Value::None);
        OpContext { node, step, inputs, outputs, place: FrameIteration::default() }
    }

    /// The same, in an iteration of a loop.
    pub fn at(mut self, place: FrameIteration) -> OpContext<'a> {
        self.place = place;
        self
    }

    pub fn into_outputs(self) -> Outputs {
        self.outputs
    }

    pub fn node(&self) -> &'a Node {
        self.node
    }

    pub fn step(&self) -> &'a Arc<Step> {
        self.step
    }

    /// The iteration of a loop that the node runs in.
    pub fn frame_iteration(&self) -> FrameIteration {
        self.place
    }

    // ---- inputs ----------------------------------------------------------------------------

    pub fn inputs_len(&self) -> usize {
        self.inputs.len()
    }

    /// Input `i`. Panics when it was taken or is no tensor, which only a kernel's own mistake causes.
    pub fn input(&self, i: usize) -> &Tensor {
        self.inputs[i].tensor().expect("the executor fills every tensor input before computing")
    }

    /// All inputs as raw values (Merge, which runs with some of them absent).
    pub fn input_values(&mut self) -> &mut [Value] {
        self.inputs
    }

    /// Takes input `i` out: if nobody else holds it, it can be written in place.
    pub fn take(&mut self, i: usize) -> Tensor {
        match std::mem::take(&mut self.inputs[i]) {
            Value::Tensor(tensor) => tensor,
            _ => panic!("input {i} was taken before or is no tensor"),
        }
    }

    /// Takes the raw value of input `i`.
    pub fn take_value(&mut self, i: usize) -> Value {
        std::mem::take(&mut self.inputs[i])
    }

    /// The variable behind reference input `i`.
    pub fn ref_input(&self, i: usize) -> Result<&Arc<Variable>> {
        match &self.inputs[i] {
            Value::Ref(variable) => Ok(variable),
            _ => Err(Status::invalid_argument(format!(
                "input {i} of {} must be a reference to a variable",
                self.node.op_name()
            ))),
        }
    }

    /// The variable behind input `i`, be it a reference or a resource handle.
    pub fn variable(&self, i: usize) -> Result<Arc<Variable>> {
        match &self.inputs[i] {
            Value::Ref(variable) => Ok(variable.clone()),
            _ => self.resource::<Variable>(i).map_err(|status| {
                let name = self.handle(i).map(|h| h.name.clone()).unwrap_or_default();
                Status::failed_precondition(format!(
                    "Could not find variable {name}. It was deleted or is still uninitialized. ({})",
                    status.message()
                ))
            }),
        }
    }

    pub fn handle(&self, i: usize) -> Result<&ResourceHandle> {
        match self.input(i).handles()? {
            [handle] => Ok(handle),
            other => Err(Status::invalid_argument(format!(
                "input {i} of {} must be one resource handle, got {}",
                self.node.op_name(),
                other.len()
            ))),
        }
    }

    /// The resource that the handle in input `i` names, of the device or of this step.
    pub fn resource<T: Resource>(&self, i: usize) -> Result<Arc<T>> {
        let handle = self.handle(i)?;
        if handle.container == crate::step::STEP_CONTAINER {
            self.step.local().lookup_handle(handle)
        } else {
            self.step.resources().lookup_handle(handle)
        }
    }

    /// Input `i`, which must have rank 0.
    pub fn scalar_input(&self, i: usize) -> Result<&Tensor> {
        let tensor = self.input(i);
        if tensor.rank() == 0 {
            return Ok(tensor);
        }
        Err(self.bad_input(i, format!("must be a scalar, got shape {}", tensor.shape())))
    }

    /// Input `i`, which must have rank 1.
    pub fn vector_input(&self, i: usize) -> Result<&Tensor> {
        let tensor = self.input(i);
        if tensor.rank() == 1 {
            return Ok(tensor);
        }
        Err(self.bad_input(i, format!("must be a vector, got shape {}", tensor.shape())))
    }

    /// INVALID_ARGUMENT that names the operation and the argument.
    pub fn bad_input(&self, i: usize, what: impl std::fmt::Display) -> Status {
        let mut at = i;
        let mut name = "input";
        for arg in &self.node.op.def.inputs {
            let len = self.node.input_range(&arg.name).map_or(1, |r| r.len());
            if at < len {
                name = &arg.name;
                break;
            }
            at -= len;
        }
        Status::invalid_argument(format!("{}: {name} {what}", self.node.op_name()))
    }

    // ---- outputs ---------------------------------------------------------------------------

    pub fn set_output(&mut self, i: usize, tensor: Tensor) {
        self.outputs[i] = Value::Tensor(tensor);
    }

    pub fn set_output_ref(&mut self, i: usize, variable: Arc<Variable>) {
        self.outputs[i] = Value::Ref(variable);
    }

    pub fn set_output_value(&mut self, i: usize, value: Value) {
        self.outputs[i] = value;
    }

    /// The tensor that output `i` was set to, if it was.
    pub fn output(&self, i: usize) -> Option<&Tensor> {
        self.outputs.get(i).and_then(Value::tensor)
    }

    // ---- surroundings ----------------------------------------------------------------------

    pub fn resources(&self) -> &'a Arc<ResourceManager> {
        self.step.resources()
    }

    pub fn parallel(&self) -> &'a Parallel {
        self.step.parallel()
    }

    pub fn cancellation(&self) -> &'a CancellationToken {
        self.step.cancellation()
    }

    /// CANCELLED when the step is cancelled. Parallel loops look by themselves; a kernel whose own loop can take longer
    /// than some milliseconds asks here between its pieces (not for every element).
    pub fn check_cancelled(&self) -> Result<()> {
        self.step.cancellation().check()
    }
}
