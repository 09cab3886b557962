//! `ComputeBatchSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ComputeBatchSize(input_dataset) -> (batch_size)`.
///
/// * `input_dataset`: variant
/// * gives `batch_size`: int64
///
/// Gradients do not flow through it.
pub fn compute_batch_size(input_dataset: &Output) -> ForOutput {
    let node = NodeBuilder::new("ComputeBatchSize").input(input_dataset);
    ForOutput(node)
}
