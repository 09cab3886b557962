//! Operations that begin a dataset.

mod random;
mod range;
mod records;
mod tensors;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    random::register(registry)?;
    range::register(registry)?;
    records::register(registry)?;
    tensors::register(registry)
}
