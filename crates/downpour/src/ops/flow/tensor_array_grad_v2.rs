//! `TensorArrayGradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayGradV2(handle, flow_in) -> (grad_handle)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * `source`: attribute, string
/// * gives `grad_handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad_v2(handle: &Output, flow_in: &Output, source: &str) -> ForOutput {
    let mut node = NodeBuilder::new("TensorArrayGradV2").input(handle).input(flow_in);
    node.set("source", text(source));
    ForOutput(node)
}
