//! `MirrorPad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MirrorPad(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `mode`: attribute, string, one of `"REFLECT"`, `"SYMMETRIC"`
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn mirror_pad(input: &Output, paddings: &Output, mode: &str) -> ForOutput {
    let mut node = NodeBuilder::new("MirrorPad").input(input).input(paddings);
    node.set("mode", text(mode));
    ForOutput(node)
}
