//! `LeakyRelu`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LeakyRelu(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn leaky_relu(features: &Output) -> LeakyRelu {
    let node = NodeBuilder::new("LeakyRelu").input(features);
    LeakyRelu(node)
}

/// A `LeakyRelu` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LeakyRelu(NodeBuilder);

impl LeakyRelu {
    /// The attribute `alpha`; `0.2` unless set.
    pub fn alpha(mut self, value: f32) -> LeakyRelu {
        self.0.set("alpha", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LeakyRelu {
        LeakyRelu(self.0.name(name))
    }

    /// Adds the node and gives `activations`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
