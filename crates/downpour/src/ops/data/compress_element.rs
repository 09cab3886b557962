//! `CompressElement`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CompressElement(components) -> (compressed)`.
///
/// * `components`: several, of types `input_types`
/// * gives `compressed`: variant
///
/// Gradients do not flow through it.
pub fn compress_element(components: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("CompressElement").list(components);
    ForOutput(node)
}
