//! `InvertPermutation`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InvertPermutation(x) -> (y)`.
///
/// * `x`: `T` (int32, int64)
/// * gives `y`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn invert_permutation(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("InvertPermutation").input(x);
    ForOutput(node)
}
