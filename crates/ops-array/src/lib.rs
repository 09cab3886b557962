//! Shapes and rearrangement of tensors.

mod broadcast_args;
mod broadcast_to;
mod concat;
mod constant;
mod diag;
mod fill;
mod identity;
mod matrix_diag;
mod mirror_pad;
mod movement;
mod number;
mod pack;
mod pad;
mod range;
mod reshape;
mod shape_of;
mod split;
mod tile;
mod transpose;
mod unit_axes;
mod where_true;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    broadcast_args::register(registry)?;
    broadcast_to::register(registry)?;
    concat::register(registry)?;
    constant::register(registry)?;
    diag::register(registry)?;
    fill::register(registry)?;
    identity::register(registry)?;
    matrix_diag::register(registry)?;
    mirror_pad::register(registry)?;
    pack::register(registry)?;
    pad::register(registry)?;
    range::register(registry)?;
    reshape::register(registry)?;
    shape_of::register(registry)?;
    split::register(registry)?;
    tile::register(registry)?;
    transpose::register(registry)?;
    unit_axes::register(registry)?;
    where_true::register(registry)?;
    Ok(())
}
