//! `RefIdentity`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RefIdentity(input) -> (output)`.
///
/// * `input`: `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Differentiable.
pub fn ref_identity(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("RefIdentity").input(input);
    ForOutput(node)
}
