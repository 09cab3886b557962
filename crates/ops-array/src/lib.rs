//! Shapes and rearrangement of tensors.

mod concat;
mod constant;
mod identity;
mod movement;
mod reshape;
mod shape_of;
mod transpose;
mod unit_axes;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    concat::register(registry)?;
    constant::register(registry)?;
    identity::register(registry)?;
    reshape::register(registry)?;
    shape_of::register(registry)?;
    transpose::register(registry)?;
    unit_axes::register(registry)?;
    Ok(())
}
