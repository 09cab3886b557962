//! `ExperimentalThreadPoolDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalThreadPoolDataset(input_dataset, thread_pool) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `thread_pool`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn experimental_thread_pool_dataset(input_dataset: &Output, thread_pool: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalThreadPoolDataset").input(input_dataset).input(thread_pool);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
