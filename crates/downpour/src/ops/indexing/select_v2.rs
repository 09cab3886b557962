//! `SelectV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SelectV2(condition, t, e) -> (output)`.
///
/// * `condition`: bool
/// * `t`: `T` (any type)
/// * `e`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn select_v2(condition: &Output, t: &Output, e: &Output) -> ForOutput {
    let node = NodeBuilder::new("SelectV2").input(condition).input(t).input(e);
    ForOutput(node)
}
