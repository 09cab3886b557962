//! `Conv3DBackpropInput`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Conv3DBackpropInput(input, filter, out_backprop) -> (output)`.
///
/// * `input`: `T` (half, float, double)
/// * `filter`: `T` (half, float, double)
/// * `out_backprop`: `T` (half, float, double)
/// * `strides`: attribute, list(int), at least 5 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, float, double)
///
/// Differentiable.
pub fn conv3d_backprop_input(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    padding: &str,
) -> Conv3DBackpropInput {
    let mut node =
        NodeBuilder::new("Conv3DBackpropInput").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    Conv3DBackpropInput(node)
}

/// A `Conv3DBackpropInput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Conv3DBackpropInput(NodeBuilder);

impl Conv3DBackpropInput {
    /// The attribute `dilations`; `1`, `1`, `1`, `1`, `1` unless set.
    pub fn dilations(mut self, value: &[i64]) -> Conv3DBackpropInput {
        self.0.set("dilations", value.to_vec().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Conv3DBackpropInput {
        Conv3DBackpropInput(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
