//! Gathering, scattering, slicing and selecting parts of tensors; sparse tensors, sets, ragged tensors.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod dense;
mod empty_rows;
mod indices;
mod keys;
mod numbers;
mod ragged;
mod sets;
mod sparse;
mod units;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    dense::register(registry)?;
    ragged::register(registry)?;
    sets::register(registry)?;
    sparse::register(registry)
}
