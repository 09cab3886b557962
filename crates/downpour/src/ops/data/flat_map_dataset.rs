//! `FlatMapDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FlatMapDataset(input_dataset, other_arguments) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `other_arguments`: several, of types `Targuments`
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn flat_map_dataset(input_dataset: &Output, other_arguments: &[Output], f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> FlatMapDataset {
    let mut node = NodeBuilder::new("FlatMapDataset").input(input_dataset).list(other_arguments);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    FlatMapDataset(node)
}

/// A `FlatMapDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FlatMapDataset(NodeBuilder);

impl FlatMapDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> FlatMapDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FlatMapDataset {
        FlatMapDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
