//! `LRN`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LRN(input) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float)
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Differentiable.
pub fn lrn(input: &Output) -> LRN {
    let node = NodeBuilder::new("LRN").input(input);
    LRN(node)
}

/// A `LRN` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LRN(NodeBuilder);

impl LRN {
    /// The attribute `depth_radius`; `5` unless set.
    pub fn depth_radius(mut self, value: i64) -> LRN {
        self.0.set("depth_radius", value.into());
        self
    }

    /// The attribute `bias`; `1.0` unless set.
    pub fn bias(mut self, value: f32) -> LRN {
        self.0.set("bias", value.into());
        self
    }

    /// The attribute `alpha`; `1.0` unless set.
    pub fn alpha(mut self, value: f32) -> LRN {
        self.0.set("alpha", value.into());
        self
    }

    /// The attribute `beta`; `0.5` unless set.
    pub fn beta(mut self, value: f32) -> LRN {
        self.0.set("beta", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LRN {
        LRN(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
