//! `OptionalNone`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OptionalNone() -> (optional)`.
///
/// * gives `optional`: variant
///
/// Has no gradient.
pub fn optional_none(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "OptionalNone");
    ForOutput(node)
}
