//! `TensorListConcatV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListConcatV2(input_handle, element_shape, leading_dims) -> (tensor, lengths)`.
///
/// * `input_handle`: variant
/// * `element_shape`: `shape_type` (int32, int64)
/// * `leading_dims`: int64
/// * `element_dtype`: attribute, type
/// * gives `tensor`: `element_dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_list_concat_v2(
    input_handle: &Output,
    element_shape: &Output,
    leading_dims: &Output,
    element_dtype: DataType,
) -> TensorListConcatV2 {
    let mut node = NodeBuilder::new("TensorListConcatV2")
        .input(input_handle)
        .input(element_shape)
        .input(leading_dims);
    node.set("element_dtype", element_dtype.into());
    TensorListConcatV2(node)
}

/// A `TensorListConcatV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListConcatV2(NodeBuilder);

impl TensorListConcatV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorListConcatV2 {
        TensorListConcatV2(self.0.name(name))
    }

    /// Adds the node and gives (`tensor`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
