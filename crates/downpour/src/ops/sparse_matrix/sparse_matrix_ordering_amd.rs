//! `SparseMatrixOrderingAMD`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixOrderingAMD(input) -> (output)`.
///
/// * `input`: variant
/// * gives `output`: int32
///
/// Has no gradient.
pub fn sparse_matrix_ordering_amd(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseMatrixOrderingAMD").input(input);
    ForOutput(node)
}
