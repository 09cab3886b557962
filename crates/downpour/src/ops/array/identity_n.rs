//! `IdentityN`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IdentityN(input) -> (output)`.
///
/// * `input`: several, of types `T`
/// * gives `output`: several, of types `T`
///
/// Differentiable.
pub fn identity_n(input: &[Output]) -> ForOutputs {
    let node = NodeBuilder::new("IdentityN").list(input);
    ForOutputs(node)
}
