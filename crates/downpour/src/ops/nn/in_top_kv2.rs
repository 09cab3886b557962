//! `InTopKV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InTopKV2(predictions, targets, k) -> (precision)`.
///
/// * `predictions`: float
/// * `targets`: `T` (int32, int64)
/// * `k`: `T` (int32, int64)
/// * gives `precision`: bool
///
/// Gradients do not flow through it.
pub fn in_top_kv2(predictions: &Output, targets: &Output, k: &Output) -> ForOutput {
    let node = NodeBuilder::new("InTopKV2").input(predictions).input(targets).input(k);
    ForOutput(node)
}
