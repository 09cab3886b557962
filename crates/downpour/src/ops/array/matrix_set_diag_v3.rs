//! `MatrixSetDiagV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixSetDiagV3(input, diagonal, k) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_set_diag_v3(input: &Output, diagonal: &Output, k: &Output) -> MatrixSetDiagV3 {
    let node = NodeBuilder::new("MatrixSetDiagV3").input(input).input(diagonal).input(k);
    MatrixSetDiagV3(node)
}

/// A `MatrixSetDiagV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixSetDiagV3(NodeBuilder);

impl MatrixSetDiagV3 {
    /// The attribute `align`; `"RIGHT_LEFT"` unless set.
    pub fn align(mut self, value: &str) -> MatrixSetDiagV3 {
        self.0.set("align", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixSetDiagV3 {
        MatrixSetDiagV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
