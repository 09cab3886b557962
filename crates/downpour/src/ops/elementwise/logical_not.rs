//! `LogicalNot`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LogicalNot(x) -> (y)`.
///
/// * `x`: bool
/// * gives `y`: bool
///
/// Gradients do not flow through it.
pub fn logical_not(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogicalNot").input(x);
    ForOutput(node)
}
