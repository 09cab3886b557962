//! `OptimizeDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OptimizeDatasetV2(input_dataset, optimizations_enabled, optimizations_disabled, optimizations_default) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `optimizations_enabled`: string
/// * `optimizations_disabled`: string
/// * `optimizations_default`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn optimize_dataset_v2(input_dataset: &Output, optimizations_enabled: &Output, optimizations_disabled: &Output, optimizations_default: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> OptimizeDatasetV2 {
    let mut node = NodeBuilder::new("OptimizeDatasetV2").input(input_dataset).input(optimizations_enabled).input(optimizations_disabled).input(optimizations_default);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    OptimizeDatasetV2(node)
}

/// A `OptimizeDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OptimizeDatasetV2(NodeBuilder);

impl OptimizeDatasetV2 {
    /// The attribute `optimization_configs`; an empty list unless set.
    pub fn optimization_configs(mut self, value: &[&str]) -> OptimizeDatasetV2 {
        self.0.set("optimization_configs", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OptimizeDatasetV2 {
        OptimizeDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
