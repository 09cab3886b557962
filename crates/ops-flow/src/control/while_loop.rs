//! While: calls a body as long as a condition holds.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, AsyncKernel, FunctionHandle, FunctionResult, KernelBox, Registry,
};
use downpour_tensor::{Result, Status, Tensor};

use super::conditional::declared_shapes;
use super::invoke::{call, check_body, check_outputs, take_args};
use super::to_bool::is_true;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "While(input: T) -> (output: T) @stateful
            T: list(type) >= 0
            cond: func
            body: func
            output_shapes: list(shape) = []
            parallel_iterations: int = 10",
        "StatelessWhile(input: T) -> (output: T)
            T: list(type) >= 0
            cond: func
            body: func
            output_shapes: list(shape) = []
            parallel_iterations: int = 10",
        "_While(input: T) -> (output: T) @stateful
            T: list(type) >= 0
            cond: func
            body: func",
    ] {
        registry.add(OpSpec::new(signature)?.shape(declared_shapes), |build| {
            Ok(KernelBox::asynchronous(While {
                cond: build.callable("cond")?,
                body: build.callable("body")?,
            }))
        })?;
    }
    Ok(())
}

struct While {
    cond: Arc<FunctionHandle>,
    body: Arc<FunctionHandle>,
}

/// A loop between two calls.
struct State {
    cx: AsyncContext,
    cond: Arc<FunctionHandle>,
    body: Arc<FunctionHandle>,
    /// The loop's variables; empty while the body has them.
    values: Vec<Tensor>,
    called: Called,
}

#[derive(Clone, Copy)]
enum Called {
    Cond,
    Body,
}

impl AsyncKernel for While {
    fn start(&self, mut cx: AsyncContext) {
        let values = match take_args(&mut cx, 0) {
            Ok(values) => values,
            Err(error) => return cx.finish(Err(error)),
        };
        let args = values.clone();
        let (cond, body) = (self.cond.clone(), self.body.clone());
        run(State { cx, cond, body, values, called: Called::Cond }, args);
    }
}

fn resume(state: State, result: FunctionResult) {
    if let Some((state, args)) = advance(state, result) {
        run(state, args);
    }
}

/// Makes the next call, and all that follow as long as they finish at once.
fn run(mut state: State, mut args: Vec<Tensor>) {
    loop {
        let function = match state.called {
            Called::Cond => state.cond.clone(),
            Called::Body => state.body.clone(),
        };
        let step = state.cx.step().clone();
        let Some((waited, result)) = call(&function, &step, args, state, resume) else { return };
        let Some(next) = advance(waited, result) else { return };
        (state, args) = next;
    }
}

/// Takes a call's result; gives the next call's arguments, or ends the loop.
fn advance(mut state: State, result: FunctionResult) -> Option<(State, Vec<Tensor>)> {
    let checked = match (result, state.called) {
        (Ok(tensors), Called::Cond) => match &tensors[..] {
            [condition] => is_true(condition).map(|_| tensors),
            _ => Err(Status::invalid_argument(format!(
                "Expected a single scalar which can be converted to a boolean, got {} tensors.",
                tensors.len()
            ))),
        },
        (Ok(tensors), Called::Body) => check_body(state.cx.node(), "While", tensors),
        (Err(error), _) => Err(error),
    };
    let tensors = match checked {
        Ok(_) if state.cx.step().cancellation().is_cancelled() => {
            state.cx.finish(Err(Status::cancelled("Loop execution was cancelled.")));
            return None;
        }
        Ok(tensors) => tensors,
        Err(error) => {
            state.cx.finish(Err(error));
            return None;
        }
    };
    match state.called {
        Called::Cond if is_true(&tensors[0]).unwrap_or(false) => {
            state.called = Called::Body;
            let args = std::mem::take(&mut state.values);
            Some((state, args))
        }
        Called::Cond => {
            let checked = check_outputs(state.cx.node(), state.values);
            state.cx.finish(checked);
            None
        }
        Called::Body => {
            state.called = Called::Cond;
            state.values = tensors.clone();
            Some((state, tensors))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;

    fn count_to(limit: i32, elsewhere: bool) -> Result<Vec<Tensor>> {
        let library = Library(
            vec![
                ("less", |args| {
                    let less = args[0].to_scalar::<i32>()? < args[1].to_scalar::<i32>()?;
                    Ok(vec![Tensor::scalar(less)])
                }),
                ("next", |mut args| {
                    args[0] = Tensor::scalar(args[0].to_scalar::<i32>()? + 1);
                    Ok(args)
                }),
            ],
            elsewhere,
        );
        let attrs = Attrs::new().with("cond", function("less")).with("body", function("next"));
        run(register, &library, "While", attrs, vec![Tensor::scalar(0i32), Tensor::scalar(limit)])
    }

    #[test]
    fn long_synchronous_loops_do_not_grow_the_stack() {
        assert_eq!(count_to(200_000, false).unwrap()[0].to_scalar::<i32>().unwrap(), 200_000);
    }

    #[test]
    fn loops_whose_calls_finish_elsewhere() {
        assert_eq!(count_to(200, true).unwrap()[0].to_scalar::<i32>().unwrap(), 200);
        assert_eq!(count_to(-1, true).unwrap()[0].to_scalar::<i32>().unwrap(), 0);
    }

    #[test]
    fn a_condition_must_be_one_value() {
        let library =
            Library(vec![("two", |args| Ok(vec![args[0].clone(), args[0].clone()]))], false);
        let attrs = Attrs::new().with("cond", function("two")).with("body", function("two"));
        let error = run(register, &library, "StatelessWhile", attrs, vec![Tensor::scalar(1i32)])
            .unwrap_err();
        assert!(error.message().contains("single scalar"));
    }
}
