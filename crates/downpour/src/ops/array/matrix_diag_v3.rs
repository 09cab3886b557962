//! `MatrixDiagV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDiagV3(diagonal, k, num_rows, num_cols, padding_value) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * `num_rows`: int32
/// * `num_cols`: int32
/// * `padding_value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_v3(
    diagonal: &Output,
    k: &Output,
    num_rows: &Output,
    num_cols: &Output,
    padding_value: &Output,
) -> MatrixDiagV3 {
    let node = NodeBuilder::new("MatrixDiagV3")
        .input(diagonal)
        .input(k)
        .input(num_rows)
        .input(num_cols)
        .input(padding_value);
    MatrixDiagV3(node)
}

/// A `MatrixDiagV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixDiagV3(NodeBuilder);

impl MatrixDiagV3 {
    /// The attribute `align`; `"RIGHT_LEFT"` unless set.
    pub fn align(mut self, value: &str) -> MatrixDiagV3 {
        self.0.set("align", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixDiagV3 {
        MatrixDiagV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
