//! `RegexFullMatch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RegexFullMatch(input, pattern) -> (output)`.
///
/// * `input`: string
/// * `pattern`: string
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn regex_full_match(input: &Output, pattern: &Output) -> ForOutput {
    let node = NodeBuilder::new("RegexFullMatch").input(input).input(pattern);
    ForOutput(node)
}
