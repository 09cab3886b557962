//! `PrefetchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PrefetchDataset(input_dataset, buffer_size) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `buffer_size`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn prefetch_dataset(input_dataset: &Output, buffer_size: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> PrefetchDataset {
    let mut node = NodeBuilder::new("PrefetchDataset").input(input_dataset).input(buffer_size);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    PrefetchDataset(node)
}

/// A `PrefetchDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PrefetchDataset(NodeBuilder);

impl PrefetchDataset {
    /// The attribute `slack_period`; `0` unless set.
    pub fn slack_period(mut self, value: i64) -> PrefetchDataset {
        self.0.set("slack_period", value.into());
        self
    }

    /// The attribute `legacy_autotune`; `true` unless set.
    pub fn legacy_autotune(mut self, value: bool) -> PrefetchDataset {
        self.0.set("legacy_autotune", value.into());
        self
    }

    /// The attribute `buffer_size_min`; `0` unless set.
    pub fn buffer_size_min(mut self, value: i64) -> PrefetchDataset {
        self.0.set("buffer_size_min", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> PrefetchDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PrefetchDataset {
        PrefetchDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
