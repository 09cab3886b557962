//! LSTM cells: one step (LSTMBlockCell), a whole sequence (BlockLSTM), and their gradients.

mod block;
mod block_grad;
mod cell;
mod step;

use downpour_runtime::{OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::float::to_f32;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    step::register(registry)?;
    block::register(registry)?;
    block_grad::register(registry)
}

/// Input `i`, which must have exactly this shape.
fn expect_shape(cx: &OpContext<'_>, i: usize, name: &str, dims: &[usize]) -> Result<()> {
    let shape = cx.input(i).shape();
    if shape.dims() == dims {
        return Ok(());
    }
    if shape.rank() != dims.len() {
        return Err(Status::invalid_argument(format!(
            "{name} must be {}D, got shape {shape}",
            dims.len()
        )));
    }
    let axis = (0..dims.len()).find(|&a| shape[a] != dims[a]).unwrap_or(0);
    Err(Status::invalid_argument(format!(
        "{name}.dim_size({axis}) is {} but must be {}: the shape {shape} does not fit the other inputs",
        shape[axis], dims[axis]
    )))
}

/// Inputs `range` as float32 tensors.
fn floats(cx: &OpContext<'_>, range: std::ops::Range<usize>) -> Result<Vec<Tensor>> {
    range.map(|i| to_f32(cx.input(i))).collect()
}
