//! Shapes and rearrangement of tensors.

mod bitcast;
mod broadcast_args;
mod broadcast_to;
mod check_numerics;
mod concat;
mod constant;
mod data_format;
mod diag;
mod edit_distance;
mod fill;
mod identity;
mod invert_permutation;
mod matrix_diag;
mod mirror_pad;
mod movement;
mod number;
mod pack;
mod pad;
mod patches;
mod quantize;
mod range;
mod reshape;
mod reverse;
mod reverse_sequence;
mod roll;
mod search_sorted;
mod shape_of;
mod space_batch;
mod space_depth;
mod split;
mod tile;
mod transpose;
mod unit_axes;
mod unravel_index;
mod where_true;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    bitcast::register(registry)?;
    broadcast_args::register(registry)?;
    broadcast_to::register(registry)?;
    check_numerics::register(registry)?;
    concat::register(registry)?;
    constant::register(registry)?;
    data_format::register(registry)?;
    diag::register(registry)?;
    edit_distance::register(registry)?;
    fill::register(registry)?;
    identity::register(registry)?;
    invert_permutation::register(registry)?;
    matrix_diag::register(registry)?;
    mirror_pad::register(registry)?;
    pack::register(registry)?;
    pad::register(registry)?;
    patches::register(registry)?;
    quantize::register(registry)?;
    range::register(registry)?;
    reshape::register(registry)?;
    reverse::register(registry)?;
    reverse_sequence::register(registry)?;
    roll::register(registry)?;
    search_sorted::register(registry)?;
    shape_of::register(registry)?;
    space_batch::register(registry)?;
    space_depth::register(registry)?;
    split::register(registry)?;
    tile::register(registry)?;
    transpose::register(registry)?;
    unit_axes::register(registry)?;
    unravel_index::register(registry)?;
    where_true::register(registry)?;
    Ok(())
}
