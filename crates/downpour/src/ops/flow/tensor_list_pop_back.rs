//! `TensorListPopBack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListPopBack(input_handle, element_shape) -> (output_handle, tensor)`.
///
/// * `input_handle`: variant
/// * `element_shape`: int32
/// * `element_dtype`: attribute, type
/// * gives `output_handle`: variant
/// * gives `tensor`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_pop_back(
    input_handle: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> TensorListPopBack {
    let mut node = NodeBuilder::new("TensorListPopBack").input(input_handle).input(element_shape);
    node.set("element_dtype", element_dtype.into());
    TensorListPopBack(node)
}

/// A `TensorListPopBack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListPopBack(NodeBuilder);

impl TensorListPopBack {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorListPopBack {
        TensorListPopBack(self.0.name(name))
    }

    /// Adds the node and gives (`output_handle`, `tensor`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
