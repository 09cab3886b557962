//! `AvgPoolGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AvgPoolGrad(orig_input_shape, grad) -> (output)`.
///
/// * `orig_input_shape`: int32
/// * `grad`: `T` (half, bfloat16, float, double)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn avg_pool_grad(
    orig_input_shape: &Output,
    grad: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> AvgPoolGrad {
    let mut node = NodeBuilder::new("AvgPoolGrad").input(orig_input_shape).input(grad);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    AvgPoolGrad(node)
}

/// A `AvgPoolGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AvgPoolGrad(NodeBuilder);

impl AvgPoolGrad {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> AvgPoolGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AvgPoolGrad {
        AvgPoolGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
