//! `ParallelFilterDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParallelFilterDataset(input_dataset, other_arguments, num_parallel_calls) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `num_parallel_calls`: int64
/// * `predicate`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn parallel_filter_dataset(input_dataset: &Output, other_arguments: &[Output], num_parallel_calls: &Output, predicate: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ParallelFilterDataset {
    let mut node = NodeBuilder::new("ParallelFilterDataset").input(input_dataset).list(other_arguments).input(num_parallel_calls);
    node.set("predicate", predicate.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ParallelFilterDataset(node)
}

/// A `ParallelFilterDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParallelFilterDataset(NodeBuilder);

impl ParallelFilterDataset {
    /// The attribute `deterministic`; `"default"` unless set.
    pub fn deterministic(mut self, value: &str) -> ParallelFilterDataset {
        self.0.set("deterministic", text(value));
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ParallelFilterDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParallelFilterDataset {
        ParallelFilterDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
