//! `SeluGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SeluGrad(gradients, outputs) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `outputs`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn selu_grad(gradients: &Output, outputs: &Output) -> ForOutput {
    let node = NodeBuilder::new("SeluGrad").input(gradients).input(outputs);
    ForOutput(node)
}
