//! Calling functions from kernels without letting the stack grow.
//!
//! Protocol. A callee may finish before the call returns, or later on any thread. Caller and callee
//! meet in a slot under a lock. The callee that comes first leaves its result there, and the caller
//! finds it and goes on in its own loop. The caller that comes first leaves its state, and the callee
//! resumes it. So a loop of synchronous calls runs in one stack frame, however long it is.

use std::sync::Arc;

use downpour_graph::Node;
use downpour_runtime::{AsyncContext, FunctionHandle, FunctionResult, Step};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

enum Slot<S> {
    Running,
    Finished(FunctionResult),
    Parked(S, fn(S, FunctionResult)),
    Done,
}

/// Calls a function. If it finishes at once, gives the state and the result back; otherwise
/// `resume` gets both when it does.
pub(crate) fn call<S: Send + 'static>(
    function: &FunctionHandle,
    step: &Arc<Step>,
    args: Vec<Tensor>,
    state: S,
    resume: fn(S, FunctionResult),
) -> Option<(S, FunctionResult)> {
    let slot = Arc::new(Mutex::new(Slot::Running));
    let theirs = slot.clone();
    function.run(step, args, move |result| {
        let mut slot = theirs.lock();
        match std::mem::replace(&mut *slot, Slot::Done) {
            Slot::Parked(state, resume) => {
                drop(slot);
                resume(state, result);
            }
            _ => *slot = Slot::Finished(result),
        }
    });
    let mut slot = slot.lock();
    match std::mem::replace(&mut *slot, Slot::Done) {
        Slot::Finished(result) => Some((state, result)),
        _ => {
            *slot = Slot::Parked(state, resume);
            None
        }
    }
}

/// Calls a function whose results are the kernel's outputs.
pub(crate) fn call_and_finish(function: &FunctionHandle, args: Vec<Tensor>, cx: AsyncContext) {
    let step = cx.step().clone();
    function.run(&step, args, move |result| {
        let checked = result.and_then(|tensors| check_outputs(cx.node(), tensors));
        cx.finish(checked);
    });
}

/// Results of a function as outputs of a node: as many, and of the declared types.
pub(crate) fn check_outputs(node: &Node, tensors: Vec<Tensor>) -> Result<Vec<Tensor>> {
    if tensors.len() != node.output_types.len() {
        return Err(Status::invalid_argument(format!(
            "Expect to produce {} tensors, but only get {}",
            node.output_types.len(),
            tensors.len()
        )));
    }
    for (i, tensor) in tensors.iter().enumerate() {
        if tensor.dtype() != node.output_dtype(i) {
            return Err(Status::invalid_argument(format!(
                "Expect {i}-th output is of type {} but get {}",
                node.output_dtype(i),
                tensor.dtype()
            )));
        }
    }
    Ok(tensors)
}

/// What a loop's body gave back, which must be as many values as the loop carries.
pub(crate) fn check_body(node: &Node, kind: &str, tensors: Vec<Tensor>) -> Result<Vec<Tensor>> {
    if tensors.len() != node.output_types.len() {
        return Err(Status::invalid_argument(format!(
            "{kind} loop body returned {} arguments. Expected: {}",
            tensors.len(),
            node.output_types.len()
        )));
    }
    check_outputs(node, tensors)
}

/// Takes the tensors of inputs `start..` out of the context, reading references.
pub(crate) fn take_args(cx: &mut AsyncContext, start: usize) -> Result<Vec<Tensor>> {
    use downpour_runtime::Value;
    (start..cx.inputs_len())
        .map(|i| match cx.take_value(i) {
            Value::Tensor(tensor) => Ok(tensor),
            Value::Ref(variable) => variable.read(),
            _ => Err(Status::internal(format!("input {i} is missing"))),
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::bench::Bench;
    use downpour_graph::{Attrs, Function};
    use downpour_runtime::{FunctionBody, FunctionSource, Registry};

    type Body = fn(Vec<Tensor>) -> FunctionResult;

    /// A function library for tests: bodies in Rust, run at once or on another thread.
    pub(crate) struct Library(pub Vec<(&'static str, Body)>, pub bool);

    struct TestBody(Body, bool);

    impl FunctionBody for TestBody {
        fn run(
            &self,
            _: &Arc<Step>,
            args: Vec<Tensor>,
            done: Box<dyn FnOnce(FunctionResult) + Send>,
        ) {
            let body = self.0;
            if self.1 {
                std::thread::spawn(move || done(body(args)));
            } else {
                done(body(args));
            }
        }
    }

    impl FunctionSource for Library {
        fn function(&self, function: &Function) -> Result<Arc<FunctionHandle>> {
            let found = self.0.iter().find(|(name, _)| *name == function.name);
            let (name, body) = found.ok_or_else(|| Status::not_found(&function.name))?;
            Ok(Arc::new(FunctionHandle::new(*name, Box::new(TestBody(*body, self.1)))))
        }

        fn gradient(&self, function: &Function) -> Result<Arc<FunctionHandle>> {
            let name = format!("gradient of {}", function.name);
            self.function(&Function { name, attrs: function.attrs.clone() })
        }
    }

    pub(crate) fn function(name: &str) -> Function {
        Function { name: name.into(), attrs: Attrs::new() }
    }

    /// Runs an operation that calls functions of `library`.
    pub(crate) fn run(
        register: fn(&mut Registry) -> Result<()>,
        library: &Library,
        op: &str,
        attrs: Attrs,
        inputs: Vec<Tensor>,
    ) -> Result<Vec<Tensor>> {
        Bench::new(register).with_functions(library, op, attrs, inputs)
    }
}
