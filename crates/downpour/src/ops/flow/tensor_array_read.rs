//! `TensorArrayRead`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayRead(handle, index, flow_in) -> (value)`.
///
/// * `handle`: string, a reference
/// * `index`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_read(
    handle: &Output,
    index: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayRead").input(handle).input(index).input(flow_in);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
