//! `PlaceholderV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PlaceholderV2() -> (output)`.
///
/// * `dtype`: attribute, type
/// * `shape`: attribute, shape
/// * gives `output`: `dtype` (any type)
///
/// Has no gradient.
pub fn placeholder_v2(graph: &Graph, dtype: DataType, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "PlaceholderV2");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    ForOutput(node)
}
