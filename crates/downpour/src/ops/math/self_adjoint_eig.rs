//! `SelfAdjointEig`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SelfAdjointEig(input) -> (output)`.
///
/// * `input`: `T` (double, float, half)
/// * gives `output`: `T` (double, float, half)
///
/// Has no gradient.
pub fn self_adjoint_eig(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("SelfAdjointEig").input(input);
    ForOutput(node)
}
