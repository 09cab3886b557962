//! `BatchCholesky`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchCholesky(input) -> (output)`.
///
/// * `input`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_cholesky(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchCholesky").input(input);
    ForOutput(node)
}
