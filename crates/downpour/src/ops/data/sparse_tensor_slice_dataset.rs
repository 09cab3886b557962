//! `SparseTensorSliceDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseTensorSliceDataset(indices, values, dense_shape) -> (handle)`.
///
/// * `indices`: int64
/// * `values`: `Tvalues` (any type)
/// * `dense_shape`: int64
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn sparse_tensor_slice_dataset(indices: &Output, values: &Output, dense_shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseTensorSliceDataset").input(indices).input(values).input(dense_shape);
    ForOutput(node)
}
