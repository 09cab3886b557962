//! `ParallelInterleaveDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParallelInterleaveDataset(input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `cycle_length`: int64
/// * `block_length`: int64
/// * `sloppy`: bool
/// * `buffer_output_elements`: int64
/// * `prefetch_input_elements`: int64
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn parallel_interleave_dataset(input_dataset: &Output, other_arguments: &[Output], cycle_length: &Output, block_length: &Output, sloppy: &Output, buffer_output_elements: &Output, prefetch_input_elements: &Output, f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ParallelInterleaveDataset {
    let mut node = NodeBuilder::new("ParallelInterleaveDataset").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(sloppy).input(buffer_output_elements).input(prefetch_input_elements);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ParallelInterleaveDataset(node)
}

/// A `ParallelInterleaveDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParallelInterleaveDataset(NodeBuilder);

impl ParallelInterleaveDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ParallelInterleaveDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParallelInterleaveDataset {
        ParallelInterleaveDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
