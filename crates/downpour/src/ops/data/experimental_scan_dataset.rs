//! `ExperimentalScanDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalScanDataset(input_dataset, initial_state, other_arguments) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `initial_state`: several, of types `Tstate`
/// * `other_arguments`: several, of types `Targuments`
/// * `f`: attribute, func
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_scan_dataset(input_dataset: &Output, initial_state: &[Output], other_arguments: &[Output], f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ExperimentalScanDataset {
    let mut node = NodeBuilder::new("ExperimentalScanDataset").input(input_dataset).list(initial_state).list(other_arguments);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ExperimentalScanDataset(node)
}

/// A `ExperimentalScanDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalScanDataset(NodeBuilder);

impl ExperimentalScanDataset {
    /// The attribute `preserve_cardinality`; `false` unless set.
    pub fn preserve_cardinality(mut self, value: bool) -> ExperimentalScanDataset {
        self.0.set("preserve_cardinality", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalScanDataset {
        ExperimentalScanDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
