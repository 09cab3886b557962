//! `CompositeTensorVariantToComponents`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CompositeTensorVariantToComponents(encoded) -> (components)`.
///
/// * `encoded`: variant
/// * `metadata`: attribute, string
/// * `Tcomponents`: attribute, list(type), at least 0 long
/// * gives `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it.
pub fn composite_tensor_variant_to_components(
    encoded: &Output,
    metadata: &str,
    tcomponents: &[DataType],
) -> ForOutputs {
    let mut node = NodeBuilder::new("CompositeTensorVariantToComponents").input(encoded);
    node.set("metadata", text(metadata));
    node.set("Tcomponents", tcomponents.to_vec().into());
    ForOutputs(node)
}
