//! `OptionalHasValue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OptionalHasValue(optional) -> (has_value)`.
///
/// * `optional`: variant
/// * gives `has_value`: bool
///
/// Has no gradient.
pub fn optional_has_value(optional: &Output) -> ForOutput {
    let node = NodeBuilder::new("OptionalHasValue").input(optional);
    ForOutput(node)
}
