//! `TensorArrayGradV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorArrayGradV3(handle, flow_in) -> (grad_handle, flow_out)`.
///
/// * `handle`: resource
/// * `flow_in`: float
/// * `source`: attribute, string
/// * gives `grad_handle`: resource
/// * gives `flow_out`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn tensor_array_grad_v3(handle: &Output, flow_in: &Output, source: &str) -> TensorArrayGradV3 {
    let mut node = NodeBuilder::new("TensorArrayGradV3").input(handle).input(flow_in);
    node.set("source", text(source));
    TensorArrayGradV3(node)
}

/// A `TensorArrayGradV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorArrayGradV3(NodeBuilder);

impl TensorArrayGradV3 {
    /// Names the node.
    pub fn name(self, name: &str) -> TensorArrayGradV3 {
        TensorArrayGradV3(self.0.name(name))
    }

    /// Adds the node and gives (`grad_handle`, `flow_out`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
