//! Matrix products, reductions, segments and other sums.

mod matmul;
mod number;
mod reduce;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    matmul::register(registry)?;
    reduce::register(registry)?;
    Ok(())
}
