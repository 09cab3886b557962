//! Pooling: the largest or the mean of each window, and the gradients.

mod argmax;
mod average;
mod fractional;
mod fractional_sequence;
mod max_gradient;
mod max_gradient_3d;
mod max_pool;
mod window;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    max_pool::register(registry)?;
    max_gradient::register(registry)?;
    max_gradient_3d::register(registry)?;
    argmax::register(registry)?;
    average::register(registry)?;
    fractional::register(registry)?;
    Ok(())
}
