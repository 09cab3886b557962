//! Variables and the optimizers that update them.

mod id_table;
mod optimizer;
mod rows;
mod state;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    state::register(registry)?;
    id_table::register(registry)?;
    optimizer::register(registry)
}
