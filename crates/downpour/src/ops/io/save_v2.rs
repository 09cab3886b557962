//! `SaveV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SaveV2(prefix, tensor_names, shape_and_slices, tensors) -> ()`.
///
/// * `prefix`: string
/// * `tensor_names`: string
/// * `shape_and_slices`: string
/// * `tensors`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn save_v2(
    prefix: &Output,
    tensor_names: &Output,
    shape_and_slices: &Output,
    tensors: &[Output],
) -> ForOperation {
    let node = NodeBuilder::new("SaveV2")
        .input(prefix)
        .input(tensor_names)
        .input(shape_and_slices)
        .list(tensors);
    ForOperation(node)
}
