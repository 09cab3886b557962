//! What an asynchronous kernel owns until it finishes.

use std::sync::Arc;

use downpour_graph::Node;
use downpour_tensor::{ResourceHandle, Result, Status, Tensor};
use smallvec::SmallVec;

use crate::cancellation::step_was_cancelled;
use crate::context::OpContext;
use crate::frame_iteration::FrameIteration;
use crate::kernel::Kernel;
use crate::resource::Resource;
use crate::step::Step;
use crate::value::{Outputs, Value};

/// Receives an asynchronous kernel's outputs or its error.
pub type FinishFn = Box<dyn FnOnce(Result<Outputs>) + Send>;

pub struct AsyncContext {
    node: Arc<Node>,
    step: Arc<Step>,
    inputs: SmallVec<[Value; 4]>,
    finish: Option<FinishFn>,
    place: FrameIteration,
}

impl AsyncContext {
    pub fn new(
        node: Arc<Node>,
        step: Arc<Step>,
        inputs: SmallVec<[Value; 4]>,
        finish: FinishFn,
    ) -> AsyncContext {
        AsyncContext { node, step, inputs, finish: Some(finish), place: FrameIteration::default() }
    }

    /// The same, in an iteration of a loop.
    pub fn at(mut self, place: FrameIteration) -> AsyncContext {
        self.place = place;
        self
    }

    pub fn node(&self) -> &Arc<Node> {
        &self.node
    }

    pub fn step(&self) -> &Arc<Step> {
        &self.step
    }

    /// The iteration of a loop that the node runs in.
    pub fn frame_iteration(&self) -> FrameIteration {
        self.place
    }

    pub fn inputs_len(&self) -> usize {
        self.inputs.len()
    }

    /// Input `i`. Panics when it was taken or is no tensor, which only a kernel's own mistake causes.
    pub fn input(&self, i: usize) -> &Tensor {
        self.inputs[i].tensor().expect("the executor fills every tensor input before starting")
    }

    pub fn input_value(&self, i: usize) -> &Value {
        &self.inputs[i]
    }

    pub fn take_value(&mut self, i: usize) -> Value {
        std::mem::take(&mut self.inputs[i])
    }

    /// The tensors of a range of inputs (an argument that stands for several).
    pub fn tensors(&self, range: std::ops::Range<usize>) -> Vec<Tensor> {
        range.map(|i| self.input(i).clone()).collect()
    }

    pub fn handle(&self, i: usize) -> Result<&ResourceHandle> {
        match self.input(i).handles()? {
            [handle] => Ok(handle),
            _ => Err(Status::invalid_argument(format!(
                "input {i} of {} must be one resource handle",
                self.node.op_name()
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

    /// Runs a kernel that computes at once with the inputs of this one.
    pub fn compute(&mut self, kernel: &dyn Kernel) -> Result<Outputs> {
        let mut cx = OpContext::new(&self.node, &self.step, &mut self.inputs).at(self.place);
        kernel.compute(&mut cx)?;
        Ok(cx.into_outputs())
    }

    /// The same, showing the outputs to `look` when there are some.
    pub fn inspect(mut self, look: impl FnOnce(&Outputs) + Send + 'static) -> AsyncContext {
        if let Some(finish) = self.finish.take() {
            self.finish = Some(Box::new(move |result: Result<Outputs>| {
                if let Ok(outputs) = &result {
                    look(outputs);
                }
                finish(result);
            }));
        }
        self
    }

    /// Ends the kernel with one tensor per output, or with its error.
    pub fn finish(self, result: Result<Vec<Tensor>>) {
        self.finish_values(result.map(|tensors| tensors.into_iter().map(Value::Tensor).collect()));
    }

    pub fn finish_values(mut self, result: Result<Outputs>) {
        if let Some(finish) = self.finish.take() {
            finish(result);
        }
    }
}

impl Drop for AsyncContext {
    fn drop(&mut self) {
        if let Some(finish) = self.finish.take() {
            // A loop of a cancelled step unwinds.
            if self.step.cancellation().is_cancelled() {
                return finish(Err(step_was_cancelled()));
            }
            finish(Err(Status::internal(format!(
                "{} '{}' gave up without a result",
                self.node.op_name(),
                self.node.name
            ))));
        }
    }
}
