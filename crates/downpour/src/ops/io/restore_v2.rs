//! `RestoreV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RestoreV2(prefix, tensor_names, shape_and_slices) -> (tensors)`.
///
/// * `prefix`: string
/// * `tensor_names`: string
/// * `shape_and_slices`: string
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `tensors`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn restore_v2(
    prefix: &Output,
    tensor_names: &Output,
    shape_and_slices: &Output,
    dtypes: &[DataType],
) -> ForOutputs {
    let mut node =
        NodeBuilder::new("RestoreV2").input(prefix).input(tensor_names).input(shape_and_slices);
    node.set("dtypes", dtypes.to_vec().into());
    ForOutputs(node)
}
