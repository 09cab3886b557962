//! `TensorListSetItem`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListSetItem(input_handle, index, item) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `index`: int32
/// * `item`: `element_dtype` (any type)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_set_item(
    input_handle: &Output,
    index: &Output,
    item: &Output,
) -> TensorListSetItem {
    let node = NodeBuilder::new("TensorListSetItem").input(input_handle).input(index).input(item);
    TensorListSetItem(node)
}

/// A `TensorListSetItem` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorListSetItem(NodeBuilder);

impl TensorListSetItem {
    /// The attribute `resize_if_index_out_of_bounds`; `false` unless set.
    pub fn resize_if_index_out_of_bounds(mut self, value: bool) -> TensorListSetItem {
        self.0.set("resize_if_index_out_of_bounds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorListSetItem {
        TensorListSetItem(self.0.name(name))
    }

    /// Adds the node and gives `output_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
