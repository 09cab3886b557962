//! `ReluGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReluGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `backprops`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn relu_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReluGrad").input(gradients).input(features);
    ForOutput(node)
}
