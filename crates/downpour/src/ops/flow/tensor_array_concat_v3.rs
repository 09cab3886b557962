//! `TensorArrayConcatV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayConcatV3(handle, flow_in) -> (value, lengths)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable. Has state or effects.
pub fn tensor_array_concat_v3(
    handle: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayConcatV3 {
    let mut node = NodeBuilder::new("TensorArrayConcatV3").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayConcatV3(node)
}

/// A `TensorArrayConcatV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayConcatV3(NodeBuilder);

impl TensorArrayConcatV3 {
    /// The attribute `element_shape_except0`; `<unknown>` unless set.
    pub fn element_shape_except0(mut self, value: &PartialShape) -> TensorArrayConcatV3 {
        self.0.set("element_shape_except0", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayConcatV3 {
        TensorArrayConcatV3(self.0.name(name))
    }

    /// Adds the node and gives (`value`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
