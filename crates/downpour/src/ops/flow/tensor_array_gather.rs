//! `TensorArrayGather`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayGather(handle, indices, flow_in) -> (value)`.
///
/// * `handle`: string, a reference
/// * `indices`: int32
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable.
pub fn tensor_array_gather(
    handle: &Output,
    indices: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayGather {
    let mut node =
        NodeBuilder::new("TensorArrayGather").input(handle).input(indices).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayGather(node)
}

/// A `TensorArrayGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGather(NodeBuilder);

impl TensorArrayGather {
    /// The attribute `element_shape`; `<unknown>` unless set.
    pub fn element_shape(mut self, value: &PartialShape) -> TensorArrayGather {
        self.0.set("element_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGather {
        TensorArrayGather(self.0.name(name))
    }

    /// Adds the node and gives `value`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
