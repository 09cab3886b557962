//! `MaxPool3DGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPool3DGrad(orig_input, orig_output, grad) -> (output)`.
///
/// * `orig_input`: `TInput` (half, bfloat16, float)
/// * `orig_output`: `TInput` (half, bfloat16, float)
/// * `grad`: `T` (half, bfloat16, float)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float)
///
/// Differentiable.
pub fn max_pool3d_grad(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPool3DGrad {
    let mut node =
        NodeBuilder::new("MaxPool3DGrad").input(orig_input).input(orig_output).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool3DGrad(node)
}

/// A `MaxPool3DGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool3DGrad(NodeBuilder);

impl MaxPool3DGrad {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool3DGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool3DGrad {
        MaxPool3DGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
