//! `TileGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TileGrad(input, multiples) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `multiples`: int32
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn tile_grad(input: &Output, multiples: &Output) -> ForOutput {
    let node = NodeBuilder::new("TileGrad").input(input).input(multiples);
    ForOutput(node)
}
