//! `BatchSelfAdjointEig`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchSelfAdjointEig(input) -> (output)`.
///
/// * `input`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Has no gradient.
pub fn batch_self_adjoint_eig(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchSelfAdjointEig").input(input);
    ForOutput(node)
}
