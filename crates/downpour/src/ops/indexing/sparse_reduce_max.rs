//! `SparseReduceMax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseReduceMax(input_indices, input_values, input_shape, reduction_axes) -> (output)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_reduce_max(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceMax {
    let node = NodeBuilder::new("SparseReduceMax")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceMax(node)
}

/// A `SparseReduceMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceMax(NodeBuilder);

impl SparseReduceMax {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceMax {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceMax {
        SparseReduceMax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
