//! `ShapeN`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShapeN(input) -> (output)`.
///
/// * `input`: `N` values of `T` (any type)
/// * gives `output`: `N` values of `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn shape_n(input: &[Output]) -> ShapeN {
    let node = NodeBuilder::new("ShapeN").list(input);
    ShapeN(node)
}

/// A `ShapeN` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ShapeN(NodeBuilder);

impl ShapeN {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> ShapeN {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ShapeN {
        ShapeN(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
