//! `Squeeze`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Squeeze(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn squeeze(input: &Output) -> Squeeze {
    let node = NodeBuilder::new("Squeeze").input(input);
    Squeeze(node)
}

/// A `Squeeze` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Squeeze(NodeBuilder);

impl Squeeze {
    /// The attribute `squeeze_dims`; an empty list unless set.
    pub fn squeeze_dims(mut self, value: &[i64]) -> Squeeze {
        self.0.set("squeeze_dims", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Squeeze {
        Squeeze(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
