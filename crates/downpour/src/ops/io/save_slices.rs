//! `SaveSlices`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SaveSlices(filename, tensor_names, shapes_and_slices, data) -> ()`.
///
/// * `filename`: string
/// * `tensor_names`: string
/// * `shapes_and_slices`: string
/// * `data`: several, of types `T`
///
/// Gradients do not flow through it. Has state or effects.
pub fn save_slices(
    filename: &Output,
    tensor_names: &Output,
    shapes_and_slices: &Output,
    data: &[Output],
) -> ForOperation {
    let node = NodeBuilder::new("SaveSlices")
        .input(filename)
        .input(tensor_names)
        .input(shapes_and_slices)
        .list(data);
    ForOperation(node)
}
