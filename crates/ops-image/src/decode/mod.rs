//! The operations that decode images.
//!
//! Except for BMP, each decodes the others' formats too; they differ in the shape of the result.

mod any;
mod attributes;
mod jpeg_shape;
mod row_loop;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    any::register(registry)?;
    jpeg_shape::register(registry)
}
