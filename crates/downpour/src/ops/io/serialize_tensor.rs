//! `SerializeTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SerializeTensor(tensor) -> (serialized)`.
///
/// * `tensor`: `T` (any type)
/// * gives `serialized`: string
///
/// Gradients do not flow through it.
pub fn serialize_tensor(tensor: &Output) -> ForOutput {
    let node = NodeBuilder::new("SerializeTensor").input(tensor);
    ForOutput(node)
}
