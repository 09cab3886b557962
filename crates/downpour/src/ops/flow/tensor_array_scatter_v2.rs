//! `TensorArrayScatterV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayScatterV2(handle, indices, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string
/// * `indices`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_scatter_v2(
    handle: &Output,
    indices: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayScatterV2")
        .input(handle)
        .input(indices)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}
