//! `TensorArrayWriteV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayWriteV3(handle, index, value, flow_in) -> (flow_out)`.
///
/// * `handle`: resource
/// * `index`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable. Has state or effects.
pub fn tensor_array_write_v3(
    handle: &Output,
    index: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayWriteV3")
        .input(handle)
        .input(index)
        .input(value)
        .input(flow_in);
    ForOutput(node)
}
