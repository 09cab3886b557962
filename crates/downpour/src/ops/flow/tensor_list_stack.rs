//! `TensorListStack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListStack(input_handle, element_shape) -> (tensor)`.
///
/// * `input_handle`: variant
/// * `element_shape`: int32
/// * `element_dtype`: attribute, type
/// * gives `tensor`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_stack(
    input_handle: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> TensorListStack {
    let mut node = NodeBuilder::new("TensorListStack").input(input_handle).input(element_shape);
    node.set("element_dtype", element_dtype.into());
    TensorListStack(node)
}

/// A `TensorListStack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListStack(NodeBuilder);

impl TensorListStack {
    /// The attribute `num_elements`; `-1` unless set.
    pub fn num_elements(mut self, value: i64) -> TensorListStack {
        self.0.set("num_elements", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorListStack {
        TensorListStack(self.0.name(name))
    }

    /// Adds the node and gives `tensor`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
