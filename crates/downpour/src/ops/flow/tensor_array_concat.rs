//! `TensorArrayConcat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayConcat(handle, flow_in) -> (value, lengths)`.
///
/// * `handle`: string, a reference
/// * `flow_in`: float
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
/// * gives `lengths`: int64
///
/// Differentiable.
pub fn tensor_array_concat(
    handle: &Output,
    flow_in: &Output,
    dtype: DataType,
) -> TensorArrayConcat {
    let mut node = NodeBuilder::new("TensorArrayConcat").input(handle).input(flow_in);
    node.set("dtype", dtype.into());
    TensorArrayConcat(node)
}

/// A `TensorArrayConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayConcat(NodeBuilder);

impl TensorArrayConcat {
    /// The attribute `element_shape_except0`; `<unknown>` unless set.
    pub fn element_shape_except0(mut self, value: &PartialShape) -> TensorArrayConcat {
        self.0.set("element_shape_except0", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayConcat {
        TensorArrayConcat(self.0.name(name))
    }

    /// Adds the node and gives (`value`, `lengths`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
