//! `MaxPoolGradGradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPoolGradGradV2(orig_input, orig_output, grad, ksize, strides) -> (output)`.
///
/// * `orig_input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `orig_output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `ksize`: int32
/// * `strides`: int32
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn max_pool_grad_grad_v2(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &Output,
    strides: &Output,
    padding: &str,
) -> MaxPoolGradGradV2 {
    let mut node = NodeBuilder::new("MaxPoolGradGradV2")
        .input(orig_input)
        .input(orig_output)
        .input(grad)
        .input(ksize)
        .input(strides);
    node.set("padding", text(padding));
    MaxPoolGradGradV2(node)
}

/// A `MaxPoolGradGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradGradV2(NodeBuilder);

impl MaxPoolGradGradV2 {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolGradGradV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradGradV2 {
        MaxPoolGradGradV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
