//! `Dilation2DBackpropFilter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Dilation2DBackpropFilter(input, filter, out_backprop) -> (filter_backprop)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `filter`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `out_backprop`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `strides`: attribute, list(int), at least 4 long
/// * `rates`: attribute, list(int), at least 4 long
/// * `padding`: attribute, string, one of `"SAME"`, `"VALID"`
/// * gives `filter_backprop`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn dilation2d_backprop_filter(
    input: &Output,
    filter: &Output,
    out_backprop: &Output,
    strides: &[i64],
    rates: &[i64],
    padding: &str,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("Dilation2DBackpropFilter").input(input).input(filter).input(out_backprop);
    node.set("strides", strides.to_vec().into());
    node.set("rates", rates.to_vec().into());
    node.set("padding", text(padding));
    ForOutput(node)
}
