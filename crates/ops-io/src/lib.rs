//! Files, checkpoints, strings and summaries.

mod checkpoint;
mod file;
mod string;
mod summary;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    checkpoint::register(registry)?;
    file::register(registry)?;
    string::register(registry)?;
    summary::register(registry)
}
