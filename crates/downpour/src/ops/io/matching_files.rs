//! `MatchingFiles`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatchingFiles(pattern) -> (filenames)`.
///
/// * `pattern`: string
/// * gives `filenames`: string
///
/// Gradients do not flow through it.
pub fn matching_files(pattern: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatchingFiles").input(pattern);
    ForOutput(node)
}
