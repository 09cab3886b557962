//! `DepthwiseConv2dNative`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DepthwiseConv2dNative(input, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`, `"EXPLICIT"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn depthwise_conv2d_native(
    input: &Output,
    filter: &Output,
    strides: &[i64],
    padding: &str,
) -> DepthwiseConv2dNative {
    let mut node = NodeBuilder::new("DepthwiseConv2dNative").input(input).input(filter);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    DepthwiseConv2dNative(node)
}

/// A `DepthwiseConv2dNative` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthwiseConv2dNative(NodeBuilder);

impl DepthwiseConv2dNative {
    /// The attribute `explicit_paddings`; an empty list unless set.
    pub fn explicit_paddings(mut self, value: &[i64]) -> DepthwiseConv2dNative {
        self.0.set("explicit_paddings", value.to_vec().into());
        self
    }

    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthwiseConv2dNative {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> DepthwiseConv2dNative {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthwiseConv2dNative {
        DepthwiseConv2dNative(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
