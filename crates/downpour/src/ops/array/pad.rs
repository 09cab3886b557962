//! `Pad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Pad(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn pad(input: &Output, paddings: &Output) -> ForOutput {
    let node = NodeBuilder::new("Pad").input(input).input(paddings);
    ForOutput(node)
}
