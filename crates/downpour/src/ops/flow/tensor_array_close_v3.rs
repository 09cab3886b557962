//! `TensorArrayCloseV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayCloseV3(handle) -> ()`.
///
/// * `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_close_v3(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("TensorArrayCloseV3").input(handle);
    ForOperation(node)
}
