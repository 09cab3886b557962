//! `DynamicStitch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DynamicStitch(indices, data) -> (merged)`.
///
/// * `indices`: `N` values of int32
/// * `data`: `N` values of `T` (any type)
/// * gives `merged`: `T` (any type)
///
/// Differentiable.
pub fn dynamic_stitch(indices: &[Output], data: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("DynamicStitch").list(indices).list(data);
    ForOutput(node)
}
