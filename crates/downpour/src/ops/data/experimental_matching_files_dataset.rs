//! `ExperimentalMatchingFilesDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalMatchingFilesDataset(patterns) -> (handle)`.
///
/// * `patterns`: string
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn experimental_matching_files_dataset(patterns: &Output) -> ForOutput {
    let node = NodeBuilder::new("ExperimentalMatchingFilesDataset").input(patterns);
    ForOutput(node)
}
