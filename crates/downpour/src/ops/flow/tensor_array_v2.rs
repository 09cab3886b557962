//! `TensorArrayV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayV2(size) -> (handle)`.
///
/// * `size`: int32
/// * `dtype`: attribute, type
/// * gives `handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_v2(size: &Output, dtype: DataType) -> TensorArrayV2 {
    let mut node = NodeBuilder::new("TensorArrayV2").input(size);
    node.set("dtype", dtype.into());
    TensorArrayV2(node)
}

/// A `TensorArrayV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayV2(NodeBuilder);

impl TensorArrayV2 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayV2 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// The attribute `dynamic_size`; `false` unless set.
    pub fn dynamic_size(mut self, value: bool) -> TensorArrayV2 {
        self.0.set("dynamic_size", value.into());
        self
    }

    /// The attribute `clear_after_read`; `true` unless set.
    pub fn clear_after_read(mut self, value: bool) -> TensorArrayV2 {
        self.0.set("clear_after_read", value.into());
        self
    }

    /// The attribute `tensor_array_name`; `""` unless set.
    pub fn tensor_array_name(mut self, value: &str) -> TensorArrayV2 {
        self.0.set("tensor_array_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayV2 {
        TensorArrayV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
