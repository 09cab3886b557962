//! `TensorArrayWriteV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayWriteV2(handle, index, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string
/// * `index`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_write_v2(
    handle: &Output,
    index: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayWriteV2")
        .input(handle)
        .input(index)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}
