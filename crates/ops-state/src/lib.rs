//! Variables and the optimizers that update them.

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(_registry: &mut Registry) -> Result<()> {
    Ok(())
}
