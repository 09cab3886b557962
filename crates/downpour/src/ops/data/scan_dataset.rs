//! `ScanDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScanDataset(input_dataset, initial_state, other_arguments) -> (handle)`.
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
pub fn scan_dataset(input_dataset: &Output, initial_state: &[Output], other_arguments: &[Output], f: &Function, output_types: &[DataType], output_shapes: &[PartialShape]) -> ScanDataset {
    let mut node = NodeBuilder::new("ScanDataset").input(input_dataset).list(initial_state).list(other_arguments);
    node.set("f", f.clone().into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ScanDataset(node)
}

/// A `ScanDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScanDataset(NodeBuilder);

impl ScanDataset {
    /// The attribute `preserve_cardinality`; `false` unless set.
    pub fn preserve_cardinality(mut self, value: bool) -> ScanDataset {
        self.0.set("preserve_cardinality", value.into());
        self
    }

    /// The attribute `use_default_device`; `true` unless set.
    pub fn use_default_device(mut self, value: bool) -> ScanDataset {
        self.0.set("use_default_device", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ScanDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScanDataset {
        ScanDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
