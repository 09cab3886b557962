//! `SparseMatrixSoftmaxGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixSoftmaxGrad(softmax, grad_softmax) -> (gradient)`.
///
/// * `softmax`: variant
/// * `grad_softmax`: variant
/// * `type`: attribute, type, one of float, double
/// * gives `gradient`: variant
///
/// Has no gradient.
pub fn sparse_matrix_softmax_grad(softmax: &Output, grad_softmax: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("SparseMatrixSoftmaxGrad").input(softmax).input(grad_softmax);
    node.set("type", type_.into());
    ForOutput(node)
}
