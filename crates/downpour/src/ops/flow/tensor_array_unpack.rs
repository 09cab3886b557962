//! `TensorArrayUnpack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayUnpack(handle, value, flow_in) -> (flow_out)`.
///
/// * `handle`: string, a reference
/// * `value`: `T` (any type)
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Has no gradient.
pub fn tensor_array_unpack(handle: &Output, value: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArrayUnpack").input(handle).input(value).input(flow_in);
    ForOutput(node)
}
