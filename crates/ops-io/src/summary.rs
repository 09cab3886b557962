//! Summaries for TensorBoard.

pub(crate) mod audio;
pub(crate) mod histogram;
pub(crate) mod image;
mod merge;
pub(crate) mod scalar;
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
