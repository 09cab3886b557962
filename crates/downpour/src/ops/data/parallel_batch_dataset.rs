//! `ParallelBatchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParallelBatchDataset(input_dataset, batch_size, num_parallel_calls, drop_remainder) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_size`: int64
/// * `num_parallel_calls`: int64
/// * `drop_remainder`: bool
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn parallel_batch_dataset(input_dataset: &Output, batch_size: &Output, num_parallel_calls: &Output, drop_remainder: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ParallelBatchDataset {
    let mut node = NodeBuilder::new("ParallelBatchDataset").input(input_dataset).input(batch_size).input(num_parallel_calls).input(drop_remainder);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ParallelBatchDataset(node)
}

/// A `ParallelBatchDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParallelBatchDataset(NodeBuilder);

impl ParallelBatchDataset {
    /// The attribute `parallel_copy`; `false` unless set.
    pub fn parallel_copy(mut self, value: bool) -> ParallelBatchDataset {
        self.0.set("parallel_copy", value.into());
        self
    }

    /// The attribute `deterministic`; `"default"` unless set.
    pub fn deterministic(mut self, value: &str) -> ParallelBatchDataset {
        self.0.set("deterministic", text(value));
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ParallelBatchDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParallelBatchDataset {
        ParallelBatchDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
