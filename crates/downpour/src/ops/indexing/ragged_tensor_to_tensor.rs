//! `RaggedTensorToTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedTensorToTensor(shape, values, default_value, row_partition_tensors) -> (result)`.
///
/// * `shape`: `Tshape` (int64, int32)
/// * `values`: `T` (any type)
/// * `default_value`: `T` (any type)
/// * `row_partition_tensors`: `num_row_partition_tensors` values of `Tindex` (int64, int32)
/// * `row_partition_types`: attribute, list(string)
/// * gives `result`: `T` (any type)
///
/// Differentiable.
pub fn ragged_tensor_to_tensor(
    shape: &Output,
    values: &Output,
    default_value: &Output,
    row_partition_tensors: &[Output],
    row_partition_types: &[&str],
) -> ForOutput {
    let mut node = NodeBuilder::new("RaggedTensorToTensor")
        .input(shape)
        .input(values)
        .input(default_value)
        .list(row_partition_tensors);
    node.set("row_partition_types", texts(row_partition_types));
    ForOutput(node)
}
