//! `WeightedFlatMapDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WeightedFlatMapDataset(input_datasets, weights) -> (handle)`.
///
/// * `input_datasets`: `N` values of variant
/// * `weights`: `M` values of double
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn weighted_flat_map_dataset(input_datasets: &[Output], weights: &[Output], output_types: &[DataType], output_shapes: &[PartialShape]) -> WeightedFlatMapDataset {
    let mut node = NodeBuilder::new("WeightedFlatMapDataset").list(input_datasets).list(weights);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    WeightedFlatMapDataset(node)
}

/// A `WeightedFlatMapDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct WeightedFlatMapDataset(NodeBuilder);

impl WeightedFlatMapDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> WeightedFlatMapDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> WeightedFlatMapDataset {
        WeightedFlatMapDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
