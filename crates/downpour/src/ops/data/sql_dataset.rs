//! `SqlDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SqlDataset(driver_name, data_source_name, query) -> (handle)`.
///
/// * `driver_name`: string
/// * `data_source_name`: string
/// * `query`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn sql_dataset(driver_name: &Output, data_source_name: &Output, query: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("SqlDataset").input(driver_name).input(data_source_name).input(query);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
