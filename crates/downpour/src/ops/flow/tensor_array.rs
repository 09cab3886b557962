//! `TensorArray`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArray(size) -> (handle)`.
///
/// * `size`: int32
/// * `dtype`: attribute, type
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array(size: &Output, dtype: DataType) -> TensorArray {
    let mut node = NodeBuilder::new("TensorArray").input(size);
    node.set("dtype", dtype.into());
    TensorArray(node)
}

/// A `TensorArray` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArray(NodeBuilder);

impl TensorArray {
    /// The attribute `dynamic_size`; `false` unless set.
    pub fn dynamic_size(mut self, value: bool) -> TensorArray {
        self.0.set("dynamic_size", value.into());
        self
    }

    /// The attribute `clear_after_read`; `true` unless set.
    pub fn clear_after_read(mut self, value: bool) -> TensorArray {
        self.0.set("clear_after_read", value.into());
        self
    }

    /// The attribute `tensor_array_name`; `""` unless set.
    pub fn tensor_array_name(mut self, value: &str) -> TensorArray {
        self.0.set("tensor_array_name", text(value));
        self
    }

    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArray {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArray {
        TensorArray(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
