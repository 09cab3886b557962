//! `RangeDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RangeDataset(start, stop, step) -> (handle)`.
///
/// * `start`: int64
/// * `stop`: int64
/// * `step`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn range_dataset(start: &Output, stop: &Output, step: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> RangeDataset {
    let mut node = NodeBuilder::new("RangeDataset").input(start).input(stop).input(step);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    RangeDataset(node)
}

/// A `RangeDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RangeDataset(NodeBuilder);

impl RangeDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> RangeDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// The attribute `replicate_on_split`; `false` unless set.
    pub fn replicate_on_split(mut self, value: bool) -> RangeDataset {
        self.0.set("replicate_on_split", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RangeDataset {
        RangeDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
