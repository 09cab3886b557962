//! `ExperimentalIgnoreErrorsDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalIgnoreErrorsDataset(input_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_ignore_errors_dataset(input_dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ExperimentalIgnoreErrorsDataset {
    let mut node = NodeBuilder::new("ExperimentalIgnoreErrorsDataset").input(input_dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ExperimentalIgnoreErrorsDataset(node)
}

/// A `ExperimentalIgnoreErrorsDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalIgnoreErrorsDataset(NodeBuilder);

impl ExperimentalIgnoreErrorsDataset {
    /// The attribute `log_warning`; `false` unless set.
    pub fn log_warning(mut self, value: bool) -> ExperimentalIgnoreErrorsDataset {
        self.0.set("log_warning", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalIgnoreErrorsDataset {
        ExperimentalIgnoreErrorsDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
