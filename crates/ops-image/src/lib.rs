//! Encoded images, and sampling of images.

pub mod bmp;
mod checkpoint;
mod combined_suppression;
mod decode;
mod encode;
mod format;
pub mod gif;
pub mod jpeg;
pub mod png;
mod sample;
pub mod webp;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    decode::register(registry)?;
    encode::register(registry)?;
    sample::register(registry)?;
    combined_suppression::register(registry)
}
