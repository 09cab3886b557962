//! Operations that begin a dataset.

mod list;
mod range;
mod records;
mod sparse_slices;
mod tensors;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    list::register(registry)?;
    range::register(registry)?;
    records::register(registry)?;
    sparse_slices::register(registry)?;
    tensors::register(registry)
}
