//! `ZerosLike`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ZerosLike(x) -> (y)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn zeros_like(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("ZerosLike").input(x);
    ForOutput(node)
}
