//! Batch: gives the rows of several steps to one of them, and nothing to the others.

use std::sync::Arc;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{AsyncContext, AsyncKernel, KernelBox, Registry};
use downpour_tensor::{Result, Tensor};

use super::batch_function::{batch, fail, on_compute_thread, place, submit};
use super::limits::Limits;
use super::rows::no_rows;
use super::scheduler::{Compute, Part, Turn};
use crate::handle::Place;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let signature =
        "Batch(in_tensors: T) -> (batched_tensors: T, batch_index: int64, id: int64) @distributed
        num_batch_threads: int
        max_batch_size: int
        max_enqueued_batches: int = 10
        batch_timeout_micros: int
        allowed_batch_sizes: list(int) = []
        grad_timeout_micros: int
        container: string = ''
        shared_name: string = ''
        batching_queue: string = ''
        T: list(type) >= 1";
    // How long a gradient may wait is UnbatchGrad's to say.
    registry.add(OpSpec::new(signature)?.shape(shapes).not_differentiable(), |build| {
        Ok(KernelBox::asynchronous(Batch { place: place(build)?, limits: Limits::new(build)? }))
    })
}

fn shapes(cx: &mut ShapeContext<'_>) -> Result<()> {
    let tensors = cx.outputs_len().saturating_sub(2);
    for i in 0..tensors {
        let dims = cx.input(i).dims().map(|dims| {
            let rest = dims.iter().skip(1).copied();
            PartialShape::of(std::iter::once(None).chain(rest))
        });
        cx.set_output(i, dims.unwrap_or(PartialShape::unknown()));
    }
    Ok(())
}

struct Batch {
    place: Place,
    limits: Limits,
}

impl AsyncKernel for Batch {
    fn start(&self, cx: AsyncContext) {
        let inputs = cx.inputs_len();
        submit(cx, inputs, &self.place, &self.limits, Arc::new(HandOut));
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct HandOut;

impl Compute for HandOut {
    fn compute(&self, parts: Vec<Part>, turn: Turn) {
        on_compute_thread(parts, move |parts| {
            if let Err(error) = hand_out(&parts, &turn) {
                fail(&parts, &error);
            }
        });
    }
}

/// Gives the batch to its last call.
fn hand_out(parts: &[Part], turn: &Turn) -> Result<()> {
    let mut tensors = batch(parts, turn.limits())?;
    let mut index = Vec::with_capacity(3 * parts.len());
    let mut start = 0;
    for part in parts {
        let end = start + part.rows.len() as i64;
        index.extend([part.call.key, start, end]);
        start = end;
    }
    tensors.push(Tensor::from_vec([parts.len(), 3], index)?);
    let Some((last, others)) = parts.split_last() else { return Ok(()) };
    for part in others {
        let mut empty = part.call.inputs.iter().map(no_rows).collect::<Result<Vec<_>>>()?;
        empty.push(Tensor::zeros(downpour_tensor::DataType::Int64, [0, 3])?);
        empty.push(Tensor::scalar(part.call.key));
        part.call.finish(Ok(empty));
    }
    tensors.push(Tensor::scalar(last.call.key));
    last.call.finish(Ok(tensors));
    Ok(())
}
