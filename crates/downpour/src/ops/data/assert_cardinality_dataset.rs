//! `AssertCardinalityDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AssertCardinalityDataset(input_dataset, cardinality) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `cardinality`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn assert_cardinality_dataset(input_dataset: &Output, cardinality: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("AssertCardinalityDataset").input(input_dataset).input(cardinality);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
