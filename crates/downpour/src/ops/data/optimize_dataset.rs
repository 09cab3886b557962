//! `OptimizeDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OptimizeDataset(input_dataset, optimizations) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `optimizations`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn optimize_dataset(input_dataset: &Output, optimizations: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> OptimizeDataset {
    let mut node = NodeBuilder::new("OptimizeDataset").input(input_dataset).input(optimizations);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    OptimizeDataset(node)
}

/// A `OptimizeDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OptimizeDataset(NodeBuilder);

impl OptimizeDataset {
    /// The attribute `optimization_configs`; an empty list unless set.
    pub fn optimization_configs(mut self, value: &[&str]) -> OptimizeDataset {
        self.0.set("optimization_configs", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OptimizeDataset {
        OptimizeDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
