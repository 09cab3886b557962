//! Functions of the graph's library, ready to be called by kernels (If, While, PartitionedCall).

use std::sync::Arc;

use downpour_graph::OpDef;
use downpour_tensor::{Result, Tensor};

use crate::step::Step;

pub type FunctionResult = Result<Vec<Tensor>>;

/// How a function's body runs; the executor implements it.
pub trait FunctionBody: Send + Sync {
    fn run(
        &self,
        step: &Arc<Step>,
        args: Vec<Tensor>,
        done: Box<dyn FnOnce(FunctionResult) + Send>,
    );

    /// Names a stateful operation that the body runs, of those that are not exempt. A body that is no graph has none.
    fn stateful_operation(&self, _is_exempt: &dyn Fn(&OpDef) -> bool) -> Option<String> {
        None
    }

    /// Returns bytes that tell what the function computes, whatever its name is; nothing if they are not known.
    fn definition(&self) -> Vec<u8> {
        Vec::new()
    }
}

pub struct FunctionHandle {
    name: String,
    body: Box<dyn FunctionBody>,
}

impl FunctionHandle {
    pub fn new(name: impl Into<String>, body: Box<dyn FunctionBody>) -> FunctionHandle {
        FunctionHandle { name: name.into(), body }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns bytes that tell what the function computes: functions with the same definition do the same, in any
    /// process. Nothing if they are not known.
    pub fn definition(&self) -> Vec<u8> {
        self.body.definition()
    }

    /// Calls the function inside a step; `done` may run on any compute thread, also before this returns.
    pub fn run(
        &self,
        step: &Arc<Step>,
        args: Vec<Tensor>,
        done: impl FnOnce(FunctionResult) + Send + 'static,
    ) {
        self.body.run(step, args, Box::new(done));
    }

    /// Names a stateful operation that a call runs, of those that are not exempt.
    pub fn stateful_operation(&self, is_exempt: &dyn Fn(&OpDef) -> bool) -> Option<String> {
        self.body.stateful_operation(is_exempt)
    }
}
