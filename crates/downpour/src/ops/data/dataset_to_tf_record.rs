//! `DatasetToTFRecord`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetToTFRecord(input_dataset, filename, compression_type) -> ()`.
///
/// * `input_dataset`: variant
/// * `filename`: string
/// * `compression_type`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn dataset_to_tf_record(input_dataset: &Output, filename: &Output, compression_type: &Output) -> ForOperation {
    let node = NodeBuilder::new("DatasetToTFRecord").input(input_dataset).input(filename).input(compression_type);
    ForOperation(node)
}
