//! `Conv3DBackpropFilterV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Conv3DBackpropFilterV2(input, filter_sizes, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `filter_sizes`: int32
/// * `out_backprop`: `T` (half, bfloat16, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn conv3d_backprop_filter_v2(
    input: &Output,
    filter_sizes: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv3DBackpropFilterV2 {
    let mut node = NodeBuilder::new("Conv3DBackpropFilterV2")
        .input(input)
        .input(filter_sizes)
        .input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3DBackpropFilterV2(node)
}

/// A `Conv3DBackpropFilterV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3DBackpropFilterV2(NodeBuilder);

impl Conv3DBackpropFilterV2 {
    /// The attribute `data_format`; `"NDHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> Conv3DBackpropFilterV2 {
        self.0.set("data_format", text(value));
        self
    }

    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3DBackpropFilterV2 {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3DBackpropFilterV2 {
        Conv3DBackpropFilterV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
