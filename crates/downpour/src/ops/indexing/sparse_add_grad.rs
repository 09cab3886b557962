//! `SparseAddGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseAddGrad(backprop_val_grad, a_indices, b_indices, sum_indices) -> (a_val_grad, b_val_grad)`.
///
/// * `backprop_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_indices`: int64
/// * `b_indices`: int64
/// * `sum_indices`: int64
/// * gives `a_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `b_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn sparse_add_grad(
    backprop_val_grad: &Output,
    a_indices: &Output,
    b_indices: &Output,
    sum_indices: &Output,
) -> SparseAddGrad {
    let node = NodeBuilder::new("SparseAddGrad")
        .input(backprop_val_grad)
        .input(a_indices)
        .input(b_indices)
        .input(sum_indices);
    SparseAddGrad(node)
}

/// A `SparseAddGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseAddGrad(NodeBuilder);

impl SparseAddGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseAddGrad {
        SparseAddGrad(self.0.name(name))
    }

    /// Adds the node and gives (`a_val_grad`, `b_val_grad`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
