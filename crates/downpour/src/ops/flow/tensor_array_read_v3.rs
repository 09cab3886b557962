//! `TensorArrayReadV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayReadV3(handle, index, flow_in) -> (value)`.
///
/// * `handle`: resource
/// * `index`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn tensor_array_read_v3(
    handle: &Output,
    index: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayReadV3").input(handle).input(index).input(flow_in);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
