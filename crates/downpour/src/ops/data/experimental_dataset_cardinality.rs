//! `ExperimentalDatasetCardinality`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalDatasetCardinality(input_dataset) -> (cardinality)`.
///
/// * `input_dataset`: variant
/// * gives `cardinality`: int64
///
/// Has no gradient.
pub fn experimental_dataset_cardinality(input_dataset: &Output) -> ForOutput {
    let node = NodeBuilder::new("ExperimentalDatasetCardinality").input(input_dataset);
    ForOutput(node)
}
