//! Matrix products, reductions, segments and other sums.

mod arg_extreme;
mod bincount;
mod fft;
mod isotonic_regression;
mod linalg;
mod matmul;
mod nearest_neighbors;
mod number;
mod reduce;
mod scan;
mod segment;
mod small;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    matmul::register(registry)?;
    reduce::register(registry)?;
    segment::register(registry)?;
    scan::register(registry)?;
    fft::register(registry)?;
    isotonic_regression::register(registry)?;
    linalg::register(registry)?;
    nearest_neighbors::register(registry)?;
    arg_extreme::register(registry)?;
    bincount::register(registry)?;
    small::register(registry)?;
    Ok(())
}
