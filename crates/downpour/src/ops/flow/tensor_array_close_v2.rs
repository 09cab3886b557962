//! `TensorArrayCloseV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayCloseV2(handle) -> ()`.
///
/// * `handle`: string
///
/// Gradients do not flow through it.
pub fn tensor_array_close_v2(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("TensorArrayCloseV2").input(handle);
    ForOperation(node)
}
