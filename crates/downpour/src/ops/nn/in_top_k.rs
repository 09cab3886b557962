//! `InTopK`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InTopK(predictions, targets) -> (precision)`.
///
/// * `predictions`: float
/// * `targets`: `T` (int32, int64)
/// * `k`: attribute, int
/// * gives `precision`: bool
///
/// Gradients do not flow through it.
pub fn in_top_k(predictions: &Output, targets: &Output, k: i64) -> ForOutput {
    let mut node = NodeBuilder::new("InTopK").input(predictions).input(targets);
    node.set("k", k.into());
    ForOutput(node)
}
