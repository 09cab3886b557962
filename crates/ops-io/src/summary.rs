//! Summaries for TensorBoard.

mod audio;
mod histogram;
mod image;
mod merge;
mod scalar;
mod tensor;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    scalar::register(registry)?;
    audio::register(registry)?;
    histogram::register(registry)?;
    image::register(registry)?;
    tensor::register(registry)?;
    merge::register(registry)
}
