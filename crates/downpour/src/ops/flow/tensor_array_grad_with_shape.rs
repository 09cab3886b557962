//! `TensorArrayGradWithShape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayGradWithShape(handle, flow_in, shape_to_prepend) -> (grad_handle, flow_out)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * `shape_to_prepend`: int32
/// * `source`: attribute, string
/// * gives `grad_handle`: resource
/// * gives `flow_out`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad_with_shape(
    handle: &Output,
    flow_in: &Output,
    shape_to_prepend: &Output,
    source: &str,
) -> TensorArrayGradWithShape {
    let mut node = NodeBuilder::new("TensorArrayGradWithShape")
        .input(handle)
        .input(flow_in)
        .input(shape_to_prepend);
    node.set("source", text(source));
    TensorArrayGradWithShape(node)
}

/// A `TensorArrayGradWithShape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGradWithShape(NodeBuilder);

impl TensorArrayGradWithShape {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGradWithShape {
        TensorArrayGradWithShape(self.0.name(name))
    }

    /// Adds the node and gives (`grad_handle`, `flow_out`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
