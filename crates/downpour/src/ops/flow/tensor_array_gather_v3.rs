//! `TensorArrayGatherV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayGatherV3(handle, indices, flow_in) -> (value)`.
///
/// * `handle`: resource
/// * `indices`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn tensor_array_gather_v3(
    handle: &Output,
    indices: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayGatherV3 {
    let mut node =
        NodeBuilder::new("TensorArrayGatherV3").input(handle).input(indices).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayGatherV3(node)
}

/// A `TensorArrayGatherV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGatherV3(NodeBuilder);

impl TensorArrayGatherV3 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayGatherV3 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGatherV3 {
        TensorArrayGatherV3(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
