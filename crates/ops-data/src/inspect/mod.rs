//! Operations that ask something of a dataset.

mod cardinality;
mod compute_batch_size;
mod element_at_index;
mod initialize_table;
mod reduce;
mod single_element;
pub(crate) mod waiting;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) use cardinality::cardinality_of;
pub(crate) use compute_batch_size::batch_size;
pub(crate) use waiting::Waiting;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    cardinality::register(registry)?;
    compute_batch_size::register(registry)?;
    element_at_index::register(registry)?;
    initialize_table::register(registry)?;
    reduce::register(registry)?;
    single_element::register(registry)
}
