//! `TensorArraySize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArraySize(handle, flow_in) -> (size)`.
///
/// * `handle`: string, a reference
/// * `flow_in`: float
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn tensor_array_size(handle: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySize").input(handle).input(flow_in);
    ForOutput(node)
}
