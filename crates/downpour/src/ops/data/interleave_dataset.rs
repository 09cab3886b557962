//! `InterleaveDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InterleaveDataset(input_dataset, other_arguments, cycle_length, block_length) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `cycle_length`: int64
/// * `block_length`: int64
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn interleave_dataset(input_dataset: &Output, other_arguments: &[Output], cycle_length: &Output, block_length: &Output, f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> InterleaveDataset {
    let mut node = NodeBuilder::new("InterleaveDataset").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    InterleaveDataset(node)
}

/// A `InterleaveDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct InterleaveDataset(NodeBuilder);

impl InterleaveDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> InterleaveDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> InterleaveDataset {
        InterleaveDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
