//! Operations that ask something of a dataset.

mod cardinality;
mod element_at_index;
mod reduce;
mod single_element;
pub(crate) mod waiting;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) use cardinality::cardinality_of;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    cardinality::register(registry)?;
    element_at_index::register(registry)?;
    reduce::register(registry)?;
    single_element::register(registry)
}
