//! `DatasetFingerprint`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetFingerprint(input_dataset) -> (fingerprint)`.
///
/// * `input_dataset`: variant
/// * gives `fingerprint`: uint64
///
/// Has no gradient.
pub fn dataset_fingerprint(input_dataset: &Output) -> ForOutput {
    let node = NodeBuilder::new("DatasetFingerprint").input(input_dataset);
    ForOutput(node)
}
