//! Variables and the optimizers that update them.

mod optimizer;
mod rows;
mod state;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    state::register(registry)?;
    optimizer::register(registry)
}
