//! `Gather`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Gather(params, indices) -> (output)`.
///
/// * `params`: `Tparams` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `output`: `Tparams` (any type)
///
/// Differentiable.
pub fn gather(params: &Output, indices: &Output) -> Gather {
    let node = NodeBuilder::new("Gather").input(params).input(indices);
    Gather(node)
}

/// A `Gather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Gather(NodeBuilder);

impl Gather {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> Gather {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Gather {
        Gather(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
