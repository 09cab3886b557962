//! `DatasetToGraph`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetToGraph(input_dataset) -> (graph)`.
///
/// * `input_dataset`: variant
/// * gives `graph`: string
///
/// Has no gradient.
pub fn dataset_to_graph(input_dataset: &Output) -> DatasetToGraph {
    let node = NodeBuilder::new("DatasetToGraph").input(input_dataset);
    DatasetToGraph(node)
}

/// A `DatasetToGraph` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DatasetToGraph(NodeBuilder);

impl DatasetToGraph {
    /// The attribute `stateful_whitelist`; an empty list unless set.
    pub fn stateful_whitelist(mut self, value: &[&str]) -> DatasetToGraph {
        self.0.set("stateful_whitelist", texts(value));
        self
    }

    /// The attribute `allow_stateful`; `false` unless set.
    pub fn allow_stateful(mut self, value: bool) -> DatasetToGraph {
        self.0.set("allow_stateful", value.into());
        self
    }

    /// The attribute `strip_device_assignment`; `false` unless set.
    pub fn strip_device_assignment(mut self, value: bool) -> DatasetToGraph {
        self.0.set("strip_device_assignment", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DatasetToGraph {
        DatasetToGraph(self.0.name(name))
    }

    /// Adds the node and gives `graph`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
