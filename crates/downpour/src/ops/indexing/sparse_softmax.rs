//! `SparseSoftmax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSoftmax(sp_indices, sp_values, sp_shape) -> (output)`.
///
/// * `sp_indices`: int64
/// * `sp_values`: `T` (half, float, double)
/// * `sp_shape`: int64
/// * gives `output`: `T` (half, float, double)
///
/// Differentiable.
pub fn sparse_softmax(sp_indices: &Output, sp_values: &Output, sp_shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseSoftmax").input(sp_indices).input(sp_values).input(sp_shape);
    ForOutput(node)
}
