//! `MatrixDiagPartV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDiagPartV3(input, k, padding_value) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * `k`: int32
/// * `padding_value`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_part_v3(input: &Output, k: &Output, padding_value: &Output) -> MatrixDiagPartV3 {
    let node = NodeBuilder::new("MatrixDiagPartV3").input(input).input(k).input(padding_value);
    MatrixDiagPartV3(node)
}

/// A `MatrixDiagPartV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixDiagPartV3(NodeBuilder);

impl MatrixDiagPartV3 {
    /// The attribute `align`; `"RIGHT_LEFT"` unless set.
    pub fn align(mut self, value: &str) -> MatrixDiagPartV3 {
        self.0.set("align", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixDiagPartV3 {
        MatrixDiagPartV3(self.0.name(name))
    }

    /// Adds the node and gives `diagonal`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
