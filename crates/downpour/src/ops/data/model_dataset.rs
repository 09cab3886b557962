//! `ModelDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ModelDataset(input_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn model_dataset(input_dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ModelDataset {
    let mut node = NodeBuilder::new("ModelDataset").input(input_dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ModelDataset(node)
}

/// A `ModelDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ModelDataset(NodeBuilder);

impl ModelDataset {
    /// The attribute `algorithm`; `0` unless set.
    pub fn algorithm(mut self, value: i64) -> ModelDataset {
        self.0.set("algorithm", value.into());
        self
    }

    /// The attribute `cpu_budget`; `0` unless set.
    pub fn cpu_budget(mut self, value: i64) -> ModelDataset {
        self.0.set("cpu_budget", value.into());
        self
    }

    /// The attribute `ram_budget`; `0` unless set.
    pub fn ram_budget(mut self, value: i64) -> ModelDataset {
        self.0.set("ram_budget", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ModelDataset {
        ModelDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
