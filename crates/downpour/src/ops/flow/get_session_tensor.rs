//! `GetSessionTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GetSessionTensor(handle) -> (value)`.
///
/// * `handle`: string
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn get_session_tensor(handle: &Output, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("GetSessionTensor").input(handle);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
