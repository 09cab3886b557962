//! Element-by-element arithmetic, comparison, casting and activation.

#[macro_use]
mod driver;
pub mod fused;
mod gradients;
mod math;
mod number;
mod ops;
mod special;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    ops::register(registry)?;
    registry.set_fusable(fused::fusable);
    fused::register(registry)
}
