//! `AvgPool3DGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AvgPool3DGrad(orig_input_shape, grad) -> (output)`.
///
/// * `orig_input_shape`: int32
/// * `grad`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 5 long
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool3d_grad(
    orig_input_shape: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> AvgPool3DGrad {
    let mut node = NodeBuilder::new("AvgPool3DGrad").input(orig_input_shape).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPool3DGrad(node)
}

/// A `AvgPool3DGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPool3DGrad(NodeBuilder);

impl AvgPool3DGrad {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPool3DGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPool3DGrad {
        AvgPool3DGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
