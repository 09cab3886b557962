//! `Mod`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Mod(x, y) -> (z)`.
///
/// * `x`: `T` (int32, int64, half, half, bfloat16, float, double)
/// * `y`: `T` (int32, int64, half, half, bfloat16, float, double)
/// * gives `z`: `T` (int32, int64, half, half, bfloat16, float, double)
///
/// Has no gradient.
pub fn mod_(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Mod").input(x).input(y);
    ForOutput(node)
}
