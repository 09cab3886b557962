//! `TensorSliceDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorSliceDataset(components) -> (handle)`.
///
/// * `components`: several, of types `Toutput_types`
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn tensor_slice_dataset(components: &[Output], output_shapes: &[PartialShape]) -> TensorSliceDataset {
    let mut node = NodeBuilder::new("TensorSliceDataset").list(components);
    node.set("output_shapes", output_shapes.to_vec().into());
    TensorSliceDataset(node)
}

/// A `TensorSliceDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorSliceDataset(NodeBuilder);

impl TensorSliceDataset {
    /// The attribute `is_files`; `false` unless set.
    pub fn is_files(mut self, value: bool) -> TensorSliceDataset {
        self.0.set("is_files", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> TensorSliceDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// The attribute `replicate_on_split`; `false` unless set.
    pub fn replicate_on_split(mut self, value: bool) -> TensorSliceDataset {
        self.0.set("replicate_on_split", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorSliceDataset {
        TensorSliceDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
