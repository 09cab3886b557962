//! `MatrixBandPart`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixBandPart(input, num_lower, num_upper) -> (band)`.
///
/// * `input`: `T` (any type)
/// * `num_lower`: `Tindex` (int32, int64)
/// * `num_upper`: `Tindex` (int32, int64)
/// * gives `band`: `T` (any type)
///
/// Differentiable.
pub fn matrix_band_part(input: &Output, num_lower: &Output, num_upper: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixBandPart").input(input).input(num_lower).input(num_upper);
    ForOutput(node)
}
