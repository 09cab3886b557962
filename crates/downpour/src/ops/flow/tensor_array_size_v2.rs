//! `TensorArraySizeV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArraySizeV2(handle, flow_in) -> (size)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn tensor_array_size_v2(handle: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySizeV2").input(handle).input(flow_in);
    ForOutput(node)
}
