//! `ExperimentalRebatchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalRebatchDataset(input_dataset, num_replicas) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `num_replicas`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_rebatch_dataset(input_dataset: &Output, num_replicas: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ExperimentalRebatchDataset {
    let mut node = NodeBuilder::new("ExperimentalRebatchDataset").input(input_dataset).input(num_replicas);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ExperimentalRebatchDataset(node)
}

/// A `ExperimentalRebatchDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalRebatchDataset(NodeBuilder);

impl ExperimentalRebatchDataset {
    /// The attribute `use_fallback`; `true` unless set.
    pub fn use_fallback(mut self, value: bool) -> ExperimentalRebatchDataset {
        self.0.set("use_fallback", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalRebatchDataset {
        ExperimentalRebatchDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
