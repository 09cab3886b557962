//! `StatelessRandomGetAlg`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomGetAlg() -> (alg)`.
///
/// * gives `alg`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateless_random_get_alg(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "StatelessRandomGetAlg");
    ForOutput(node)
}
