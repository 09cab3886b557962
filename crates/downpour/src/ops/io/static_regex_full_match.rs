//! `StaticRegexFullMatch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StaticRegexFullMatch(input) -> (output)`.
///
/// * `input`: string
/// * `pattern`: attribute, string
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn static_regex_full_match(input: &Output, pattern: &str) -> ForOutput {
    let mut node = NodeBuilder::new("StaticRegexFullMatch").input(input);
    node.set("pattern", text(pattern));
    ForOutput(node)
}
