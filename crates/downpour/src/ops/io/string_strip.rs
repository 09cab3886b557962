//! `StringStrip`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringStrip(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_strip(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("StringStrip").input(input);
    ForOutput(node)
}
