//! `Relu`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Relu(features) -> (activations)`.
///
/// * `features`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8)
/// * gives `activations`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8)
///
/// Differentiable.
pub fn relu(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Relu").input(features);
    ForOutput(node)
}
