//! Convolution of any group of channels over up to three spatial axes, and its gradients.

mod conv;
mod conv2d;
mod conv3d;
mod filter_gradient;
mod forward;
mod fused;
mod geometry;
mod input_gradient;
mod scatter;
mod shapes;
mod tensors;

use downpour_runtime::Registry;
use downpour_tensor::Result;

use filter_gradient::filter_gradient;
use forward::forward;
use geometry::Geometry;
use input_gradient::input_gradient;
pub(crate) use shapes::sizes_input;
pub(crate) use tensors::{Label, convolve, in_compute_type, narrowed, widened};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    conv2d::register(registry)?;
    conv3d::register(registry)?;
    conv::register(registry)?;
    fused::register(registry)?;
    Ok(())
}

#[cfg(test)]
mod tests;
