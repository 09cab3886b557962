//! For: calls a body for each number of a range.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, AsyncKernel, FunctionHandle, FunctionResult, KernelBox, Registry,
};
use downpour_tensor::{Result, Status, Tensor};

use super::invoke::{call, check_body, check_outputs, take_args};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "For(start: int32, limit: int32, delta: int32, input: T) -> (output: T)
                T: list(type) >= 0
                body: func",
        )?,
        |build| Ok(KernelBox::asynchronous(For(build.callable("body")?))),
    )
}

struct For(Arc<FunctionHandle>);

struct State {
    cx: AsyncContext,
    body: Arc<FunctionHandle>,
    /// The next number; wider than the inputs so that the last step cannot overflow.
    next: i64,
    limit: i64,
    delta: i64,
}

impl AsyncKernel for For {
    fn start(&self, mut cx: AsyncContext) {
        match prepare(&mut cx) {
            Ok(([next, limit, delta], values)) => {
                run(State { cx, body: self.0.clone(), next, limit, delta }, values);
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

fn prepare(cx: &mut AsyncContext) -> Result<([i64; 3], Vec<Tensor>)> {
    let mut range = [0; 3];
    for (i, label) in ["start", "limit", "delta"].into_iter().enumerate() {
        let tensor = cx.input(i);
        if tensor.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "{label} must be a scalar, but {}",
                tensor.shape()
            )));
        }
        range[i] = tensor.to_i64_scalar()?;
    }
    let [start, limit, delta] = range;
    let sound = match delta {
        0 => start == limit,
        d if d > 0 => start <= limit,
        _ => start >= limit,
    };
    if !sound {
        return Err(Status::invalid_argument(format!(
            "Invalid start/limit/delta: {start} {limit} {delta}"
        )));
    }
    Ok((range, take_args(cx, 3)?))
}

fn resume(state: State, result: FunctionResult) {
    if let Some((state, values)) = advance(state, result) {
        run(state, values);
    }
}

fn run(mut state: State, mut values: Vec<Tensor>) {
    loop {
        let over = match state.delta {
            d if d >= 0 => state.next >= state.limit,
            _ => state.next <= state.limit,
        };
        if over {
            let checked = check_outputs(state.cx.node(), values);
            return state.cx.finish(checked);
        }
        let number = Tensor::scalar(state.next as i32);
        state.next += state.delta;
        let args = std::iter::once(number).chain(values).collect();
        let (body, step) = (state.body.clone(), state.cx.step().clone());
        let Some((waited, result)) = call(&body, &step, args, state, resume) else { return };
        let Some(next) = advance(waited, result) else { return };
        (state, values) = next;
    }
}

fn advance(state: State, result: FunctionResult) -> Option<(State, Vec<Tensor>)> {
    let result = match result {
        Ok(_) if state.cx.step().cancellation().is_cancelled() => {
            Err(Status::cancelled("Loop execution was cancelled."))
        }
        Ok(tensors) => check_body(state.cx.node(), "For", tensors),
        Err(error) => Err(error),
    };
    match result {
        Ok(values) => Some((state, values)),
        Err(error) => {
            state.cx.finish(Err(error));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::invoke::tests::{Library, function, run};
    use super::*;
    use downpour_graph::Attrs;

    fn sum(start: i32, limit: i32, delta: i32) -> Result<i32> {
        let library = Library(
            vec![("add", |args| {
                let sum = args[0].to_scalar::<i32>()? + args[1].to_scalar::<i32>()?;
                Ok(vec![Tensor::scalar(sum)])
            })],
            false,
        );
        let inputs = [start, limit, delta, 0].map(Tensor::scalar).to_vec();
        let attrs = Attrs::new().with("body", function("add"));
        run(register, &library, "For", attrs, inputs)?[0].to_scalar()
    }

    #[test]
    fn ranges_run_both_ways_and_bad_ones_are_refused() {
        assert_eq!(sum(0, 5, 1).unwrap(), 10);
        assert_eq!(sum(5, 0, -2).unwrap(), 9);
        assert_eq!(sum(3, 3, 0).unwrap(), 0);
        assert!(sum(0, 5, -1).is_err());
        assert!(sum(0, 5, 0).is_err());
        assert_eq!(sum(0, i32::MAX, i32::MAX).unwrap(), 0);
    }
}
