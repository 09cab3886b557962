//! `TensorArrayV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayV3(size) -> (handle, flow)`.
///
/// * `size`: int32
/// * `dtype`: attribute, type
/// * gives `handle`: resource
/// * gives `flow`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_v3(size: &Output, dtype: DataType) -> TensorArrayV3 {
    let mut node = NodeBuilder::new("TensorArrayV3").input(size);
    node.set("dtype", dtype.into());
    TensorArrayV3(node)
}

/// A `TensorArrayV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayV3(NodeBuilder);

impl TensorArrayV3 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayV3 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// The attribute `dynamic_size`; `false` unless set.
    pub fn dynamic_size(mut self, value: bool) -> TensorArrayV3 {
        self.0.set("dynamic_size", value.into());
        self
    }

    /// The attribute `clear_after_read`; `true` unless set.
    pub fn clear_after_read(mut self, value: bool) -> TensorArrayV3 {
        self.0.set("clear_after_read", value.into());
        self
    }

    /// The attribute `identical_element_shapes`; `false` unless set.
    pub fn identical_element_shapes(mut self, value: bool) -> TensorArrayV3 {
        self.0.set("identical_element_shapes", value.into());
        self
    }

    /// The attribute `tensor_array_name`; `""` unless set.
    pub fn tensor_array_name(mut self, value: &str) -> TensorArrayV3 {
        self.0.set("tensor_array_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayV3 {
        TensorArrayV3(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `flow`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
