//! `MatchingFilesDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatchingFilesDataset(patterns) -> (handle)`.
///
/// * `patterns`: string
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn matching_files_dataset(patterns: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatchingFilesDataset").input(patterns);
    ForOutput(node)
}
