//! `LeakyReluGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LeakyReluGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn leaky_relu_grad(gradients: &Output, features: &Output) -> LeakyReluGrad {
    let node = NodeBuilder::new("LeakyReluGrad").input(gradients).input(features);
    LeakyReluGrad(node)
}

/// A `LeakyReluGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LeakyReluGrad(NodeBuilder);

impl LeakyReluGrad {
    /// The attribute `alpha`; `0.2` unless set.
    pub fn alpha(mut self, value: f32) -> LeakyReluGrad {
        self.0.set("alpha", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LeakyReluGrad {
        LeakyReluGrad(self.0.name(name))
    }

    /// Adds the node and gives `backprops`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
