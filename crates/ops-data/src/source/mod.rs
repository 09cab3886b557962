//! Operations that begin a dataset.

mod range;
mod records;
mod tensors;
mod window;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    range::register(registry)?;
    records::register(registry)?;
    tensors::register(registry)?;
    window::register(registry)
}
