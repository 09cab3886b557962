//! `NextIteration`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NextIteration(data) -> (output)`.
///
/// * `data`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn next_iteration(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("NextIteration").input(data);
    ForOutput(node)
}
