//! `TensorListConcat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListConcat(input_handle) -> (tensor, lengths)`.
///
/// * `input_handle`: variant
/// * `element_dtype`: attribute, type
/// * gives `tensor`: `element_dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_list_concat(input_handle: &Output, element_dtype: DataType) -> TensorListConcat {
    let mut node = NodeBuilder::new("TensorListConcat").input(input_handle);
    node.set("element_dtype", element_dtype.into());
    TensorListConcat(node)
}

/// A `TensorListConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListConcat(NodeBuilder);

impl TensorListConcat {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorListConcat {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorListConcat {
        TensorListConcat(self.0.name(name))
    }

    /// Adds the node and gives (`tensor`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
