//! `SparseReduceMaxSparse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseReduceMaxSparse(input_indices, input_values, input_shape, reduction_axes) -> (output_indices, output_values, output_shape)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `input_shape`: int64
/// * `reduction_axes`: int32
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `output_shape`: int64
///
/// Has no gradient.
pub fn sparse_reduce_max_sparse(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
    reduction_axes: &Output,
) -> SparseReduceMaxSparse {
    let node = NodeBuilder::new("SparseReduceMaxSparse")
        .input(input_indices)
        .input(input_values)
        .input(input_shape)
        .input(reduction_axes);
    SparseReduceMaxSparse(node)
}

/// A `SparseReduceMaxSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReduceMaxSparse(NodeBuilder);

impl SparseReduceMaxSparse {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> SparseReduceMaxSparse {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseReduceMaxSparse {
        SparseReduceMaxSparse(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
