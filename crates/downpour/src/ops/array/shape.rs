//! `Shape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Shape(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn shape(input: &Output) -> Shape {
    let node = NodeBuilder::new("Shape").input(input);
    Shape(node)
}

/// A `Shape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Shape(NodeBuilder);

impl Shape {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> Shape {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Shape {
        Shape(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
