//! `NotEqual`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NotEqual(x, y) -> (z)`.
///
/// * `x`: `T` (any type)
/// * `y`: `T` (any type)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn not_equal(x: &Output, y: &Output) -> NotEqual {
    let node = NodeBuilder::new("NotEqual").input(x).input(y);
    NotEqual(node)
}

/// A `NotEqual` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NotEqual(NodeBuilder);

impl NotEqual {
    /// The attribute `incompatible_shape_error`; `true` unless set.
    pub fn incompatible_shape_error(mut self, value: bool) -> NotEqual {
        self.0.set("incompatible_shape_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NotEqual {
        NotEqual(self.0.name(name))
    }

    /// Adds the node and gives `z`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
