//! `DatasetCardinality`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetCardinality(input_dataset) -> (cardinality)`.
///
/// * `input_dataset`: variant
/// * gives `cardinality`: int64
///
/// Has no gradient.
pub fn dataset_cardinality(input_dataset: &Output) -> DatasetCardinality {
    let node = NodeBuilder::new("DatasetCardinality").input(input_dataset);
    DatasetCardinality(node)
}

/// A `DatasetCardinality` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DatasetCardinality(NodeBuilder);

impl DatasetCardinality {
    /// The attribute `cardinality_options`; `""` unless set.
    pub fn cardinality_options(mut self, value: &str) -> DatasetCardinality {
        self.0.set("cardinality_options", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DatasetCardinality {
        DatasetCardinality(self.0.name(name))
    }

    /// Adds the node and gives `cardinality`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
