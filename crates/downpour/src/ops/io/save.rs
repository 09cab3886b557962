//! `Save`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Save(filename, tensor_names, data) -> ()`.
///
/// * `filename`: string
/// * `tensor_names`: string
/// * `data`: several, of types `T`
///
/// Gradients do not flow through it. Has state or effects.
pub fn save(filename: &Output, tensor_names: &Output, data: &[Output]) -> ForOperation {
    let node = NodeBuilder::new("Save").input(filename).input(tensor_names).list(data);
    ForOperation(node)
}
