//! `SparseReshape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseReshape(input_indices, input_shape, new_shape) -> (output_indices, output_shape)`.
///
/// * `input_indices`: int64
/// * `input_shape`: int64
/// * `new_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_reshape(
    input_indices: &Output,
    input_shape: &Output,
    new_shape: &Output,
) -> SparseReshape {
    let node =
        NodeBuilder::new("SparseReshape").input(input_indices).input(input_shape).input(new_shape);
    SparseReshape(node)
}

/// A `SparseReshape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReshape(NodeBuilder);

impl SparseReshape {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseReshape {
        SparseReshape(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
