//! `DatasetFromGraph`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetFromGraph(graph_def) -> (handle)`.
///
/// * `graph_def`: string
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn dataset_from_graph(graph_def: &Output) -> ForOutput {
    let node = NodeBuilder::new("DatasetFromGraph").input(graph_def);
    ForOutput(node)
}
