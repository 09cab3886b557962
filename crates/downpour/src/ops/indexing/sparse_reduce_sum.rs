//! `SparseReduceSum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseReduceSum(input_indices, input_values, input_shape, reduction_axes) -> (output)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_reduce_sum(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceSum {
    let node = NodeBuilder::new("SparseReduceSum")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceSum(node)
}

/// A `SparseReduceSum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceSum(NodeBuilder);

impl SparseReduceSum {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceSum {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceSum {
        SparseReduceSum(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
