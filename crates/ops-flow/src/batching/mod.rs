//! Batching: calls of several steps are computed together, and their results taken apart again.
//!
//! Calls meet in a [`scheduler`], which BatchFunction and Batch share. Unbatch and UnbatchGrad undo what Batch does.

mod batch;
mod batch_function;
mod call;
mod limits;
mod rows;
mod scheduler;
mod unbatch;
mod unbatch_grad;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    batch::register(registry)?;
    batch_function::register(registry)?;
    unbatch::register(registry)?;
    unbatch_grad::register(registry)
}

#[cfg(test)]
mod tests;
