//! `DepthwiseConv2dNativeBackpropFilter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DepthwiseConv2dNativeBackpropFilter(input, filter_sizes, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter_sizes`: int32
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn depthwise_conv2d_native_backprop_filter(
    input: &Output,
    filter_sizes: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> DepthwiseConv2dNativeBackpropFilter {
    let mut node = NodeBuilder::new("DepthwiseConv2dNativeBackpropFilter")
        .input(input)
        .input(filter_sizes)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    DepthwiseConv2dNativeBackpropFilter(node)
}

/// A `DepthwiseConv2dNativeBackpropFilter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthwiseConv2dNativeBackpropFilter(NodeBuilder);

impl DepthwiseConv2dNativeBackpropFilter {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> DepthwiseConv2dNativeBackpropFilter {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthwiseConv2dNativeBackpropFilter {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> DepthwiseConv2dNativeBackpropFilter {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthwiseConv2dNativeBackpropFilter {
        DepthwiseConv2dNativeBackpropFilter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
