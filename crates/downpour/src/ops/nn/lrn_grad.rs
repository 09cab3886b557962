//! `LRNGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LRNGrad(input_grads, input_image, output_image) -> (output)`.
///
/// * `input_grads`: `T` (half, bfloat16, float)
/// * `input_image`: `T` (half, bfloat16, float)
/// * `output_image`: `T` (half, bfloat16, float)
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Has no gradient.
pub fn lrn_grad(input_grads: &Output, input_image: &Output, output_image: &Output) -> LRNGrad {
    let node =
        NodeBuilder::new("LRNGrad").input(input_grads).input(input_image).input(output_image);
    LRNGrad(node)
}

/// A `LRNGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LRNGrad(NodeBuilder);

impl LRNGrad {
    /// The attribute `depth_radius`; `5` unless set.
    pub fn depth_radius(mut self, value: i64) -> LRNGrad {
        self.0.set("depth_radius", value.into());
        self
    }

    /// The attribute `bias`; `1.0` unless set.
    pub fn bias(mut self, value: f32) -> LRNGrad {
        self.0.set("bias", value.into());
        self
    }

    /// The attribute `alpha`; `1.0` unless set.
    pub fn alpha(mut self, value: f32) -> LRNGrad {
        self.0.set("alpha", value.into());
        self
    }

    /// The attribute `beta`; `0.5` unless set.
    pub fn beta(mut self, value: f32) -> LRNGrad {
        self.0.set("beta", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LRNGrad {
        LRNGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
