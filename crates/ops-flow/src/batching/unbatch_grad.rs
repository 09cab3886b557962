//! UnbatchGrad: puts the gradients of several steps together again, for the step that had the batch.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{AsyncContext, AsyncKernel, CancelGuard, KernelBox, Registry, Resource};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use super::rows::{concatenate, no_rows};
use crate::handle::Place;

/// Gradients that may wait for their batch; one whose step has failed never comes.
const MOST: usize = 1 << 16;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let signature = "UnbatchGrad(original_input: T, batch_index: int64, grad: T, id: int64) -> (batched_grad: T)
        container: string = ''
        shared_name: string = ''
        T: type";
    registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
        Ok(KernelBox::asynchronous(UnbatchGrad(Place::by_node_name(build.node())?)))
    })
}

struct UnbatchGrad(Place);

#[derive(Default)]
struct Meeting(Mutex<State>);

#[derive(Default)]
struct State {
    /// Gradients by the key of their call.
    gradients: HashMap<i64, Tensor>,
    /// Batches that miss gradients, by the key of the call that has them.
    batches: HashMap<i64, Batch>,
}

struct Batch {
    cx: AsyncContext,
    keys: Vec<i64>,
    guard: Option<CancelGuard>,
}

impl Resource for Meeting {
    fn describe(&self) -> String {
        let state = self.0.lock();
        format!("gradients of batches, {} wait for {}", state.batches.len(), state.gradients.len())
    }
}

impl AsyncKernel for UnbatchGrad {
    fn start(&self, cx: AsyncContext) {
        let Place { container, name } = &self.0;
        let resources = cx.step().resources();
        let meeting: Result<Arc<Meeting>> =
            resources.lookup_or_create(container, name, || Ok(Meeting::default()));
        let asked = meeting.and_then(|meeting| {
            let (id, keys) = check(&cx)?;
            meeting.add(id, cx.input(2).clone())?;
            Ok((meeting, id, keys))
        });
        match asked {
            Ok((meeting, id, Some(keys))) => meeting.wait(cx, id, keys),
            Ok((meeting, _, None)) => {
                let nothing = no_rows(cx.input(2));
                cx.finish(nothing.map(|nothing| vec![nothing]));
                meeting.advance();
            }
            Err(error) => cx.finish(Err(error)),
        }
    }
}

/// Returns the key of the call, and the keys of its batch if it has one.
fn check(cx: &AsyncContext) -> Result<(i64, Option<Vec<i64>>)> {
    let (data, index, grad, id) = (cx.input(0), cx.input(1), cx.input(2), cx.input(3));
    if id.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Expected `id` to be scalar. Received {}",
            id.shape()
        )));
    }
    if grad.rank() == 0 {
        return Err(Status::invalid_argument("UnbatchGrad: grad must have rows, got a scalar"));
    }
    let id = id.to_scalar()?;
    if data.is_empty() {
        return Ok((id, None));
    }
    if index.is_empty() {
        return Err(Status::invalid_argument("batch_index is empty while the tensor isn't."));
    }
    if !matches!(index.dims(), [_, 3]) {
        return Err(Status::invalid_argument(format!(
            "batch_index should be a matrix of three columns. Received {}",
            index.shape()
        )));
    }
    let keys: Vec<i64> = index.as_slice::<i64>()?.chunks_exact(3).map(|entry| entry[0]).collect();
    if keys.iter().collect::<HashSet<_>>().len() != keys.len() {
        return Err(Status::invalid_argument("batch_index names a call twice"));
    }
    Ok((id, Some(keys)))
}

impl Meeting {
    fn add(&self, id: i64, grad: Tensor) -> Result<()> {
        let mut state = self.0.lock();
        if state.gradients.len() >= MOST {
            return Err(Status::resource_exhausted(format!(
                "{MOST} gradients wait for batches that have not come"
            )));
        }
        if state.gradients.contains_key(&id) {
            return Err(Status::invalid_argument("Two runs with the same batch key."));
        }
        state.gradients.insert(id, grad);
        Ok(())
    }

    fn wait(self: &Arc<Self>, cx: AsyncContext, id: i64, keys: Vec<i64>) {
        let step = cx.step().clone();
        let refused = {
            let mut state = self.0.lock();
            let wanted = |key: &i64| state.batches.values().any(|batch| batch.keys.contains(key));
            let is_wanted = keys.iter().any(wanted);
            match state.batches.entry(id) {
                Entry::Occupied(_) => Some((cx, "Batch key with valid batch used twice.")),
                Entry::Vacant(_) if is_wanted => {
                    Some((cx, "Missing tensor wanted by more than one batch."))
                }
                Entry::Vacant(place) => {
                    place.insert(Batch { cx, keys, guard: None });
                    None
                }
            }
        };
        if let Some((cx, what)) = refused {
            return cx.finish(Err(Status::invalid_argument(what)));
        }
        let meeting = Arc::downgrade(self);
        let guard = step.cancellation().on_cancel(move || {
            let batch = meeting.upgrade().and_then(|m| m.0.lock().batches.remove(&id));
            if let Some(batch) = batch {
                batch.finish(Err(Status::cancelled("UnbatchGrad was cancelled").derived()));
            }
        });
        let mut guard = Some(guard);
        if let Some(batch) = self.0.lock().batches.get_mut(&id) {
            batch.guard = guard.take();
        }
        drop(guard);
        self.advance();
    }

    /// Ends the batches whose gradients are all there.
    fn advance(&self) {
        loop {
            let complete = {
                let mut state = self.0.lock();
                let State { gradients, batches } = &mut *state;
                let is_complete =
                    |batch: &Batch| batch.keys.iter().all(|key| gradients.contains_key(key));
                let id = batches.iter().find(|(_, batch)| is_complete(batch)).map(|(id, _)| *id);
                let Some(batch) = id.and_then(|id| batches.remove(&id)) else { return };
                let parts = batch.keys.iter().filter_map(|key| gradients.remove(key));
                let parts: Vec<Tensor> = parts.collect();
                (batch, parts)
            };
            let (batch, parts) = complete;
            batch.finish(concatenate(&parts).map(|whole| vec![whole]));
        }
    }
}

impl Batch {
    fn finish(self, result: Result<Vec<Tensor>>) {
        drop(self.guard);
        self.cx.finish(result);
    }
}
