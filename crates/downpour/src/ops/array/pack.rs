//! `Pack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Pack(values) -> (output)`.
///
/// * `values`: `N` values of `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn pack(values: &[Output]) -> Pack {
    let node = NodeBuilder::new("Pack").list(values);
    Pack(node)
}

/// A `Pack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Pack(NodeBuilder);

impl Pack {
    /// The attribute `axis`; `0` unless set.
    pub fn axis(mut self, value: i64) -> Pack {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Pack {
        Pack(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
