//! `IgnoreErrorsDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IgnoreErrorsDataset(input_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn ignore_errors_dataset(input_dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> IgnoreErrorsDataset {
    let mut node = NodeBuilder::new("IgnoreErrorsDataset").input(input_dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    IgnoreErrorsDataset(node)
}

/// A `IgnoreErrorsDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IgnoreErrorsDataset(NodeBuilder);

impl IgnoreErrorsDataset {
    /// The attribute `log_warning`; `false` unless set.
    pub fn log_warning(mut self, value: bool) -> IgnoreErrorsDataset {
        self.0.set("log_warning", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IgnoreErrorsDataset {
        IgnoreErrorsDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
