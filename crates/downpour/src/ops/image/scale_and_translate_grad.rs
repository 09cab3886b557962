//! `ScaleAndTranslateGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScaleAndTranslateGrad(grads, original_image, scale, translation) -> (output)`.
///
/// * `grads`: `T` (float)
/// * `original_image`: `T` (float)
/// * `scale`: float
/// * `translation`: float
/// * gives `output`: `T` (float)
///
/// Gradients do not flow through it.
pub fn scale_and_translate_grad(grads: &Output, original_image: &Output, scale: &Output, translation: &Output) -> ScaleAndTranslateGrad {
    let node = NodeBuilder::new("ScaleAndTranslateGrad").input(grads).input(original_image).input(scale).input(translation);
    ScaleAndTranslateGrad(node)
}

/// A `ScaleAndTranslateGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScaleAndTranslateGrad(NodeBuilder);

impl ScaleAndTranslateGrad {
    /// The attribute `kernel_type`; `"lanczos3"` unless set.
    pub fn kernel_type(mut self, value: &str) -> ScaleAndTranslateGrad {
        self.0.set("kernel_type", text(value));
        self
    }

    /// The attribute `antialias`; `true` unless set.
    pub fn antialias(mut self, value: bool) -> ScaleAndTranslateGrad {
        self.0.set("antialias", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScaleAndTranslateGrad {
        ScaleAndTranslateGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
