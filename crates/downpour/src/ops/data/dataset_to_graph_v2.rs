//! `DatasetToGraphV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetToGraphV2(input_dataset) -> (graph)`.
///
/// * `input_dataset`: variant
/// * gives `graph`: string
///
/// Has no gradient.
pub fn dataset_to_graph_v2(input_dataset: &Output) -> DatasetToGraphV2 {
    let node = NodeBuilder::new("DatasetToGraphV2").input(input_dataset);
    DatasetToGraphV2(node)
}

/// A `DatasetToGraphV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DatasetToGraphV2(NodeBuilder);

impl DatasetToGraphV2 {
    /// The attribute `external_state_policy`; `0` unless set.
    pub fn external_state_policy(mut self, value: i64) -> DatasetToGraphV2 {
        self.0.set("external_state_policy", value.into());
        self
    }

    /// The attribute `strip_device_assignment`; `false` unless set.
    pub fn strip_device_assignment(mut self, value: bool) -> DatasetToGraphV2 {
        self.0.set("strip_device_assignment", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DatasetToGraphV2 {
        DatasetToGraphV2(self.0.name(name))
    }

    /// Adds the node and gives `graph`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
