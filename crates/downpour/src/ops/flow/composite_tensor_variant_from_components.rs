//! `CompositeTensorVariantFromComponents`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CompositeTensorVariantFromComponents(components) -> (encoded)`.
///
/// * `components`: several, of types `Tcomponents`
/// * `metadata`: attribute, string
/// * gives `encoded`: variant
///
/// Gradients do not flow through it.
pub fn composite_tensor_variant_from_components(
    graph: &Graph,
    components: &[Output],
    metadata: &str,
) -> ForOutput {
    let mut node =
        NodeBuilder::in_graph(graph, "CompositeTensorVariantFromComponents").list(components);
    node.set("metadata", text(metadata));
    ForOutput(node)
}
