//! `MaxPoolGradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPoolGradV2(orig_input, orig_output, grad, ksize, strides) -> (output)`.
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
pub fn max_pool_grad_v2(
    orig_input: &Output,
    orig_output: &Output,
    grad: &Output,
    ksize: &Output,
    strides: &Output,
    padding: &str,
) -> MaxPoolGradV2 {
    let mut node = NodeBuilder::new("MaxPoolGradV2")
        .input(orig_input)
        .input(orig_output)
        .input(grad)
        .input(ksize)
        .input(strides);
    node.set("padding", text(padding));
    MaxPoolGradV2(node)
}

/// A `MaxPoolGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradV2(NodeBuilder);

impl MaxPoolGradV2 {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> MaxPoolGradV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradV2 {
        MaxPoolGradV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
