//! `DirectedInterleaveDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DirectedInterleaveDataset(selector_input_dataset, data_input_datasets) -> (handle)`.
///
/// * `selector_input_dataset`: variant
/// * `data_input_datasets`: `N` values of variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn directed_interleave_dataset(selector_input_dataset: &Output, data_input_datasets: &[Output], output_types: &[DataType], output_shapes: &[PartialShape]) -> DirectedInterleaveDataset {
    let mut node = NodeBuilder::new("DirectedInterleaveDataset").input(selector_input_dataset).list(data_input_datasets);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    DirectedInterleaveDataset(node)
}

/// A `DirectedInterleaveDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DirectedInterleaveDataset(NodeBuilder);

impl DirectedInterleaveDataset {
    /// The attribute `stop_on_empty_dataset`; `false` unless set.
    pub fn stop_on_empty_dataset(mut self, value: bool) -> DirectedInterleaveDataset {
        self.0.set("stop_on_empty_dataset", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DirectedInterleaveDataset {
        DirectedInterleaveDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
