//! `TensorArrayWrite`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayWrite(handle, index, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `index`: int32
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable.
pub fn tensor_array_write(
    handle: &Output,
    index: &Output,
    value: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("TensorArrayWrite").input(handle).input(index).input(value).input(flow_in);
    ForOutput(node)
}
