//! `TensorArraySizeV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArraySizeV3(handle, flow_in) -> (size)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_size_v3(handle: &Output, flow_in: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySizeV3").input(handle).input(flow_in);
    ForOutput(node)
}
