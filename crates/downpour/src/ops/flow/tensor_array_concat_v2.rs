//! `TensorArrayConcatV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayConcatV2(handle, flow_in) -> (value, lengths)`.
///
/// * `handle`: string
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_array_concat_v2(
    handle: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayConcatV2 {
    let mut node = NodeBuilder::new("TensorArrayConcatV2").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayConcatV2(node)
}

/// A `TensorArrayConcatV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayConcatV2(NodeBuilder);

impl TensorArrayConcatV2 {
    /// The attribute `element_shape_except0`; `<unknown>` unless set.
    pub fn element_shape_except0(mut self, value: &PartialShape) -> TensorArrayConcatV2 {
        self.0.set("element_shape_except0", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayConcatV2 {
        TensorArrayConcatV2(self.0.name(name))
    }

    /// Adds the node and gives (`value`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
