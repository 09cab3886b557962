//! `TensorArrayPack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayPack(handle, flow_in) -> (value)`.
///
/// * `handle`: string, a reference
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Has no gradient.
pub fn tensor_array_pack(handle: &Output, flow_in: &Output, dtype: DataType) -> TensorArrayPack {
    let mut node = NodeBuilder::new("TensorArrayPack").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayPack(node)
}

/// A `TensorArrayPack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayPack(NodeBuilder);

impl TensorArrayPack {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayPack {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayPack {
        TensorArrayPack(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
