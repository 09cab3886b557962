//! `Roll`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Roll(input, shift, axis) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `shift`: `Tshift` (int32, int64)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn roll(input: &Output, shift: &Output, axis: &Output) -> ForOutput {
    let node = NodeBuilder::new("Roll").input(input).input(shift).input(axis);
    ForOutput(node)
}
