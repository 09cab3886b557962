//! Operations on encoded images, and sampling of images.

mod combined_suppression;
mod decode;
mod encode;
mod sample;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    decode::register(registry)?;
    encode::register(registry)?;
    sample::register(registry)?;
    combined_suppression::register(registry)
}
