//! Operations that compute images from other places of images.

mod filter;
mod glimpse;
mod projective;
mod scale_and_translate;
mod spans;

use downpour_graph::{Dim, PartialShape, ShapeContext};
use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    glimpse::register(registry)?;
    projective::register(registry)?;
    scale_and_translate::register(registry)
}

/// Sets output 0 to images whose height and width are in input `size`.
fn set_sized(cx: &mut ShapeContext<'_>, batch: Dim, size: usize, channels: Dim) -> Result<()> {
    let shape = cx.with_rank(size, 1)?;
    cx.merge_dim(shape.dim(0), Some(2))?;
    let sides = cx.shape_from_input(size)?;
    cx.set_output(0, PartialShape::of([batch, sides.dim(0), sides.dim(1), channels]));
    Ok(())
}
