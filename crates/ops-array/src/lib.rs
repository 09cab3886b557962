//! Shapes and rearrangement of tensors.

mod identity;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    identity::register(registry)?;
    Ok(())
}
