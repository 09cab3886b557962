//! `LogicalOr`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LogicalOr(x, y) -> (z)`.
///
/// * `x`: bool
/// * `y`: bool
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn logical_or(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogicalOr").input(x).input(y);
    ForOutput(node)
}
