//! `SparseMatrixSoftmax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixSoftmax(logits) -> (softmax)`.
///
/// * `logits`: variant
/// * `type`: attribute, type, one of float, double
/// * gives `softmax`: variant
///
/// Differentiable.
pub fn sparse_matrix_softmax(logits: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("SparseMatrixSoftmax").input(logits);
    node.set("type", type_.into());
    ForOutput(node)
}
