//! `MaxPoolGradWithArgmax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxPoolGradWithArgmax(input, grad, argmax) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `argmax`: `Targmax` (int32, int64)
/// * `ksize`: attribute, list(int), at least 4 long
/// * `strides`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn max_pool_grad_with_argmax(
    input: &Output,
    grad: &Output,
    argmax: &Output,
    ksize: &[i64],
    strides: &[i64],
    padding: &str,
) -> MaxPoolGradWithArgmax {
    let mut node = NodeBuilder::new("MaxPoolGradWithArgmax").input(input).input(grad).input(argmax);
    node.set("ksize", ksize.to_vec().into());
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    MaxPoolGradWithArgmax(node)
}

/// A `MaxPoolGradWithArgmax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MaxPoolGradWithArgmax(NodeBuilder);

impl MaxPoolGradWithArgmax {
    /// The attribute `include_batch_in_index`; `false` unless set.
    pub fn include_batch_in_index(mut self, value: bool) -> MaxPoolGradWithArgmax {
        self.0.set("include_batch_in_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MaxPoolGradWithArgmax {
        MaxPoolGradWithArgmax(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
