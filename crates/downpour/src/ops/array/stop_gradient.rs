//! `StopGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StopGradient(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn stop_gradient(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("StopGradient").input(input);
    ForOutput(node)
}
