//! `ListDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ListDataset(tensors) -> (handle)`.
///
/// * `tensors`: several, of types `Tinput_types`
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn list_dataset(tensors: &[Output], output_types: &[DataType], output_shapes: &[PartialShape]) -> ListDataset {
    let mut node = NodeBuilder::new("ListDataset").list(tensors);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ListDataset(node)
}

/// A `ListDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ListDataset(NodeBuilder);

impl ListDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ListDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ListDataset {
        ListDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
