//! `ParseTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParseTensor(serialized) -> (output)`.
///
/// * `serialized`: string
/// * `out_type`: attribute, type
/// * gives `output`: `out_type` (any type)
///
/// Gradients do not flow through it.
pub fn parse_tensor(serialized: &Output, out_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ParseTensor").input(serialized);
    node.set("out_type", out_type.into());
    ForOutput(node)
}
