//! `TensorDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorDataset(components) -> (handle)`.
///
/// * `components`: several, of types `Toutput_types`
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn tensor_dataset(components: &[Output], output_shapes: &[PartialShape]) -> TensorDataset {
    let mut node = NodeBuilder::new("TensorDataset").list(components);
    node.set("output_shapes", output_shapes.to_vec().into());
    TensorDataset(node)
}

/// A `TensorDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorDataset(NodeBuilder);

impl TensorDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> TensorDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorDataset {
        TensorDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
