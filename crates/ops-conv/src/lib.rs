//! Convolutions, pooling and operations on images.

mod convolution;
mod depthwise;
mod gradients;
mod image;
mod pooling;
mod product;
mod window;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    convolution::register(registry)?;
    depthwise::register(registry)?;
    pooling::register(registry)?;
    image::register(registry)?;
    Ok(())
}
