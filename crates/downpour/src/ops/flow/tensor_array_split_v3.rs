//! `TensorArraySplitV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArraySplitV3(handle, value, lengths, flow_in) -> (flow_out)`.
///
/// * `handle`: resource
/// * `value`: `T` (any type)
/// * `lengths`: int64
/// * `flow_in`: float
/// * gives `flow_out`: float
///
/// Differentiable. Has state or effects.
pub fn tensor_array_split_v3(
    handle: &Output,
    value: &Output,
    lengths: &Output,
    flow_in: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorArraySplitV3")
        .input(handle)
        .input(value)
        .input(lengths)
        .input(flow_in);
    ForOutput(node)
}
