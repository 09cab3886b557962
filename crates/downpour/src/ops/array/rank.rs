//! `Rank`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Rank(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn rank(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Rank").input(input);
    ForOutput(node)
}
