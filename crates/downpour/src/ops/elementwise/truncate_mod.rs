//! `TruncateMod`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TruncateMod(x, y) -> (z)`.
///
/// * `x`: `T` (int32, int64, bfloat16, half, float, double)
/// * `y`: `T` (int32, int64, bfloat16, half, float, double)
/// * gives `z`: `T` (int32, int64, bfloat16, half, float, double)
///
/// Differentiable.
pub fn truncate_mod(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("TruncateMod").input(x).input(y);
    ForOutput(node)
}
