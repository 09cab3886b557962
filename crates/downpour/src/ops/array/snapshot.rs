//! `Snapshot`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Snapshot(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn snapshot(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Snapshot").input(input);
    ForOutput(node)
}
