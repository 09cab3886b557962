//! `PreventGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PreventGradient(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn prevent_gradient(input: &Output) -> PreventGradient {
    let node = NodeBuilder::new("PreventGradient").input(input);
    PreventGradient(node)
}

/// A `PreventGradient` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PreventGradient(NodeBuilder);

impl PreventGradient {
    /// The attribute `message`; `""` unless set.
    pub fn message(mut self, value: &str) -> PreventGradient {
        self.0.set("message", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PreventGradient {
        PreventGradient(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
