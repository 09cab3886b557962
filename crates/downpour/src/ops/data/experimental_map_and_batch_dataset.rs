//! `ExperimentalMapAndBatchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalMapAndBatchDataset(input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `batch_size`: int64
/// * `num_parallel_calls`: int64
/// * `drop_remainder`: bool
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn experimental_map_and_batch_dataset(input_dataset: &Output, other_arguments: &[Output], batch_size: &Output, num_parallel_calls: &Output, drop_remainder: &Output, f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ExperimentalMapAndBatchDataset {
    let mut node = NodeBuilder::new("ExperimentalMapAndBatchDataset").input(input_dataset).list(other_arguments).input(batch_size).input(num_parallel_calls).input(drop_remainder);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ExperimentalMapAndBatchDataset(node)
}

/// A `ExperimentalMapAndBatchDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalMapAndBatchDataset(NodeBuilder);

impl ExperimentalMapAndBatchDataset {
    /// The attribute `preserve_cardinality`; `false` unless set.
    pub fn preserve_cardinality(mut self, value: bool) -> ExperimentalMapAndBatchDataset {
        self.0.set("preserve_cardinality", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalMapAndBatchDataset {
        ExperimentalMapAndBatchDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
