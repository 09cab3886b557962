//! Operations that ask something of a dataset.

mod cardinality;
mod reduce;
mod single_element;
pub(crate) mod waiting;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    cardinality::register(registry)?;
    reduce::register(registry)?;
    single_element::register(registry)
}
