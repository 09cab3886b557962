//! `OptionalFromValue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OptionalFromValue(components) -> (optional)`.
///
/// * `components`: several, of types `Toutput_types`
/// * gives `optional`: variant
///
/// Differentiable.
pub fn optional_from_value(components: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("OptionalFromValue").list(components);
    ForOutput(node)
}
