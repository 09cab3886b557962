//! `Const`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Const() -> (output)`.
///
/// * `value`: attribute, tensor
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it.
pub fn const_(graph: &Graph, value: &Tensor, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "Const");
    node.set("value", value.clone().into());
    node.set("dtype", dtype.into());
    ForOutput(node)
}
