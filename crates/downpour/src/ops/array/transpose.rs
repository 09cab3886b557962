//! `Transpose`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Transpose(x, perm) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `perm`: `Tperm` (int32, int64)
/// * gives `y`: `T` (any type)
///
/// Differentiable.
pub fn transpose(x: &Output, perm: &Output) -> ForOutput {
    let node = NodeBuilder::new("Transpose").input(x).input(perm);
    ForOutput(node)
}
