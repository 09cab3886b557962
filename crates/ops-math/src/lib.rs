//! Matrix products, reductions, segments and other sums.

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(_registry: &mut Registry) -> Result<()> {
    Ok(())
}
