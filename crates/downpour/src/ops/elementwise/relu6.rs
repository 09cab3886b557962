//! `Relu6`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Relu6(features) -> (activations)`.
///
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `activations`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn relu6(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Relu6").input(features);
    ForOutput(node)
}
