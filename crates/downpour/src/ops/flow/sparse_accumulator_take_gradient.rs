//! `SparseAccumulatorTakeGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseAccumulatorTakeGradient(handle, num_required) -> (indices, values, shape)`.
///
/// * `handle`: string, a reference
/// * `num_required`: int32
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * gives `indices`: int64
/// * gives `values`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_accumulator_take_gradient(
    handle: &Output,
    num_required: &Output,
    dtype: DataType,
) -> SparseAccumulatorTakeGradient {
    let mut node =
        NodeBuilder::new("SparseAccumulatorTakeGradient").input(handle).input(num_required);
    node.set("dtype", dtype.into());
    SparseAccumulatorTakeGradient(node)
}

/// A `SparseAccumulatorTakeGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseAccumulatorTakeGradient(NodeBuilder);

impl SparseAccumulatorTakeGradient {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseAccumulatorTakeGradient {
        SparseAccumulatorTakeGradient(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
