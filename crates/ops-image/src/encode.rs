//! The operations that encode images.

mod jpeg;
mod png;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    jpeg::register(registry)?;
    png::register(registry)
}
