//! `Conv2DBackpropInputV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Conv2DBackpropInputV2(input, filter, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double, int32)
/// * `filter`: `T` (half, bfloat16, float, double, int32)
/// * `out_backprop`: `T` (half, bfloat16, float, double, int32)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double, int32)
///
/// Differentiable.
pub fn conv2d_backprop_input_v2(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv2DBackpropInputV2 {
    let mut node =
        NodeBuilder::new("Conv2DBackpropInputV2").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv2DBackpropInputV2(node)
}

/// A `Conv2DBackpropInputV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv2DBackpropInputV2(NodeBuilder);

impl Conv2DBackpropInputV2 {
    /// The attribute `use_cudnn_on_gpu`; `true` unless set.
    pub fn use_cudnn_on_gpu(mut self, value: bool) -> Conv2DBackpropInputV2 {
        self.0.set("use_cudnn_on_gpu", value.into());
        self
    }

    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> Conv2DBackpropInputV2 {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv2DBackpropInputV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv2DBackpropInputV2 {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv2DBackpropInputV2 {
        Conv2DBackpropInputV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
