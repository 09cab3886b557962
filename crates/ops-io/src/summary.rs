//! Summaries for TensorBoard.

mod histogram;
mod merge;
mod scalar;
mod tensor;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    scalar::register(registry)?;
    histogram::register(registry)?;
    tensor::register(registry)?;
    merge::register(registry)
}
