//! `Relu6Grad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Relu6Grad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `backprops`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn relu6_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Relu6Grad").input(gradients).input(features);
    ForOutput(node)
}
