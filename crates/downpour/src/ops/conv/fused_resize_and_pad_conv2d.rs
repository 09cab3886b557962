//! `FusedResizeAndPadConv2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FusedResizeAndPadConv2D(input, size, paddings, filter) -> (output)`.
///
/// * `input`: `T` (half, float, double)
/// * `size`: int32
/// * `paddings`: int32
/// * `filter`: `T` (half, float, double)
/// * `mode`: attribute, string, one of `"REFLECT"`, `"SYMMETRIC"`
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, float, double)
///
/// Has no gradient.
pub fn fused_resize_and_pad_conv2d(
    input: &Output,
    size: &Output,
    paddings: &Output,
    filter: &Output,
    mode: &str,
    strides: &[i64],
    padding: &str,
) -> FusedResizeAndPadConv2D {
    let mut node = NodeBuilder::new("FusedResizeAndPadConv2D")
        .input(input)
        .input(size)
        .input(paddings)
        .input(filter);
    node.set("mode", text(mode));
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    FusedResizeAndPadConv2D(node)
}

/// A `FusedResizeAndPadConv2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FusedResizeAndPadConv2D(NodeBuilder);

impl FusedResizeAndPadConv2D {
    /// The attribute `resize_align_corners`; `false` unless set.
    pub fn resize_align_corners(mut self, value: bool) -> FusedResizeAndPadConv2D {
        self.0.set("resize_align_corners", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FusedResizeAndPadConv2D {
        FusedResizeAndPadConv2D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
