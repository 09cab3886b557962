//! `TensorArrayScatter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayScatter(handle, indices, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `indices`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_scatter(
    handle: &Output,
    indices: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayScatter")
        .input(handle)
        .input(indices)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}
