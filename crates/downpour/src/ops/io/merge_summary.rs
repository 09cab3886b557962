//! `MergeSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MergeSummary(inputs) -> (summary)`.
///
/// * `inputs`: `N` values of string
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn merge_summary(inputs: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("MergeSummary").list(inputs);
    ForOutput(node)
}
