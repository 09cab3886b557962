//! A call that waits to be computed in a batch.

use std::sync::Arc;

use downpour_runtime::{AsyncContext, CancelGuard, Step};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use super::rows::concatenate;
use crate::handle::unique_number;

pub(super) struct Call {
    /// No other call of this process has it.
    pub key: i64,
    pub inputs: Vec<Tensor>,
    pub captured: Vec<Tensor>,
    pub rows: usize,
    pub step: Arc<Step>,
    state: Mutex<State>,
}

struct State {
    /// None once the call has ended.
    cx: Option<AsyncContext>,
    /// Results by part, in the order of rows.
    results: Vec<Option<Vec<Tensor>>>,
    guard: Option<CancelGuard>,
}

impl Call {
    /// Takes a kernel over whose first `inputs` inputs have so many rows.
    pub fn new(cx: AsyncContext, inputs: usize, rows: usize) -> Arc<Call> {
        let captured = cx.tensors(inputs..cx.inputs_len());
        let inputs = cx.tensors(0..inputs);
        let step = cx.step().clone();
        let state = State { cx: Some(cx), results: Vec::new(), guard: None };
        let key = unique_number() as i64;
        Arc::new(Call { key, inputs, captured, rows, step, state: Mutex::new(state) })
    }

    /// Says in how many parts the call is computed.
    pub fn expect_parts(&self, parts: usize) {
        self.state.lock().results = vec![None; parts];
    }

    /// Ends the call when its step is cancelled; `forget` is called then.
    pub fn watch(self: &Arc<Call>, forget: impl FnOnce(&Call) + Send + 'static) {
        let call = Arc::downgrade(self);
        let guard = self.step.cancellation().on_cancel(move || {
            if let Some(call) = call.upgrade() {
                forget(&call);
                call.finish(Err(Status::cancelled("The batched call was cancelled").derived()));
            }
        });
        let mut state = self.state.lock();
        let unused = if state.cx.is_some() { state.guard.replace(guard) } else { Some(guard) };
        drop(state);
        drop(unused);
    }

    pub fn is_over(&self) -> bool {
        self.state.lock().cx.is_none()
    }

    /// Takes the results of a part; the last part ends the call.
    pub fn finish_part(&self, number: usize, results: Vec<Tensor>) {
        let all = {
            let mut state = self.state.lock();
            if let Some(place) = state.results.get_mut(number) {
                *place = Some(results);
            }
            if state.results.iter().any(Option::is_none) {
                return;
            }
            std::mem::take(&mut state.results)
        };
        let mut all: Vec<Vec<Tensor>> = all.into_iter().flatten().collect();
        if all.len() == 1 {
            return self.finish(Ok(all.remove(0)));
        }
        let outputs = all.first().map_or(0, Vec::len);
        let output = |i: usize| {
            let parts: Vec<Tensor> = all.iter().filter_map(|part| part.get(i).cloned()).collect();
            concatenate(&parts)
        };
        self.finish((0..outputs).map(output).collect());
    }

    /// Ends the call, unless it has ended.
    pub fn finish(&self, result: Result<Vec<Tensor>>) {
        let (cx, guard) = {
            let mut state = self.state.lock();
            (state.cx.take(), state.guard.take())
        };
        drop(guard);
        if let Some(cx) = cx {
            cx.finish(result);
        }
    }
}

/// Returns how many rows the first `inputs` inputs of a kernel have.
pub(super) fn rows(cx: &AsyncContext, inputs: usize) -> Result<usize> {
    let inputs = cx.tensors(0..inputs);
    let shapes =
        || inputs.iter().map(|input| input.shape().to_string()).collect::<Vec<_>>().join(", ");
    let Some(first) = inputs.first() else {
        return Err(Status::invalid_argument("there are no tensors to batch"));
    };
    if inputs.iter().any(|input| input.rank() == 0) {
        return Err(Status::invalid_argument(format!(
            "Batching input tensors must have at least one dimension, got shapes {}",
            shapes()
        )));
    }
    if inputs.iter().any(|input| input.dims()[0] != first.dims()[0]) {
        return Err(Status::invalid_argument(format!(
            "Batching input tensors supplied in a given op invocation must have equal 0th-dimension size, got shapes {}",
            shapes()
        )));
    }
    Ok(first.dims()[0])
}
