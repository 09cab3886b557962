//! `UnicodeScript`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnicodeScript(input) -> (output)`.
///
/// * `input`: int32
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn unicode_script(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("UnicodeScript").input(input);
    ForOutput(node)
}
