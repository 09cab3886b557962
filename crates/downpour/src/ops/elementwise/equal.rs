//! `Equal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Equal(x, y) -> (z)`.
///
/// * `x`: `T` (any type)
/// * `y`: `T` (any type)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn equal(x: &Output, y: &Output) -> Equal {
    let node = NodeBuilder::new("Equal").input(x).input(y);
    Equal(node)
}

/// A `Equal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Equal(NodeBuilder);

impl Equal {
    /// The attribute `incompatible_shape_error`; `true` unless set.
    pub fn incompatible_shape_error(mut self, value: bool) -> Equal {
        self.0.set("incompatible_shape_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Equal {
        Equal(self.0.name(name))
    }

    /// Adds the node and gives `z`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
