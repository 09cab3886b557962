//! `PadV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PadV2(input, paddings, constant_values) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `constant_values`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn pad_v2(input: &Output, paddings: &Output, constant_values: &Output) -> ForOutput {
    let node = NodeBuilder::new("PadV2").input(input).input(paddings).input(constant_values);
    ForOutput(node)
}
