//! `TensorArrayGatherV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayGatherV2(handle, indices, flow_in) -> (value)`.
///
/// * `handle`: string
/// * `indices`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_gather_v2(
    handle: &Output,
    indices: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayGatherV2 {
    let mut node =
        NodeBuilder::new("TensorArrayGatherV2").input(handle).input(indices).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayGatherV2(node)
}

/// A `TensorArrayGatherV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGatherV2(NodeBuilder);

impl TensorArrayGatherV2 {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayGatherV2 {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGatherV2 {
        TensorArrayGatherV2(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
