//! `MaxPool3DGradGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPool3DGradGrad(orig_input, orig_output, grad) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool3d_grad_grad(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPool3DGradGrad {
    let mut node =
        NodeBuilder::new("MaxPool3DGradGrad").input(orig_input).input(orig_output).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPool3DGradGrad(node)
}

/// A `MaxPool3DGradGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPool3DGradGrad(NodeBuilder);

impl MaxPool3DGradGrad {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPool3DGradGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPool3DGradGrad {
        MaxPool3DGradGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
