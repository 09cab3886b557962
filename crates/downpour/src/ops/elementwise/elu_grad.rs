//! `EluGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EluGrad(gradients, outputs) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `outputs`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn elu_grad(gradients: &Output, outputs: &Output) -> ForOutput {
    let node = NodeBuilder::new("EluGrad").input(gradients).input(outputs);
    ForOutput(node)
}
