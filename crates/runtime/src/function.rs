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

    /// Returns the same body without the state that calls have left in its operations. A body that is no graph has no
    /// such state.
    fn without_state(&self) -> Option<Box<dyn FunctionBody>> {
        None
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

    /// Returns the function without the state that calls have left in its operations and in those of the functions it
    /// calls, such as how many random numbers they have drawn. A function that keeps none is returned as it is.
    pub fn without_state(
        self: &Arc<Self>,
        is_exempt: &dyn Fn(&OpDef) -> bool,
    ) -> Arc<FunctionHandle> {
        let keeps_state = self.stateful_operation(is_exempt).is_some();
        match keeps_state.then(|| self.body.without_state()).flatten() {
            Some(body) => Arc::new(FunctionHandle::new(self.name.clone(), body)),
            None => self.clone(),
        }
    }
}
