//! `Bincount`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Bincount(arr, size, weights) -> (bins)`.
///
/// * `arr`: int32
/// * `size`: int32
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `bins`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn bincount(arr: &Output, size: &Output, weights: &Output) -> ForOutput {
    let node = NodeBuilder::new("Bincount").input(arr).input(size).input(weights);
    ForOutput(node)
}
