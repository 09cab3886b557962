//! `FusedPadConv2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FusedPadConv2D(input, paddings, filter) -> (output)`.
///
/// * `input`: `T` (half, bfloat16, float, double)
/// * `paddings`: int32
/// * `filter`: `T` (half, bfloat16, float, double)
/// * `mode`: attribute, string, one of `"REFLECT"`, `"SYMMETRIC"`
/// * `strides`: attribute, list(int)
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Has no gradient.
pub fn fused_pad_conv2d(
    input: &Output,
    paddings: &Output,
    filter: &Output,
    mode: &str,
    strides: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node = NodeBuilder::new("FusedPadConv2D").input(input).input(paddings).input(filter);
    node.set("mode", text(mode));
    node.set("strides", strides.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}
