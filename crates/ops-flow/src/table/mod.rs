//! Lookup tables: initialised once, mutable, and dense with a visible layout.

mod access;
mod column;
mod create;
mod dense;
mod hashed;
mod initialize;
mod key;
#[allow(clippy::module_inception, reason = "the table is the family's one resource")]
mod table;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    access::register(registry)?;
    create::register(registry)?;
    initialize::register(registry)
}
