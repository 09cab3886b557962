//! `DestroyResourceOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DestroyResourceOp(resource) -> ()`.
///
/// * `resource`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn destroy_resource_op(resource: &Output) -> DestroyResourceOp {
    let node = NodeBuilder::new("DestroyResourceOp").input(resource);
    DestroyResourceOp(node)
}

/// A `DestroyResourceOp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DestroyResourceOp(NodeBuilder);

impl DestroyResourceOp {
    /// The attribute `ignore_lookup_error`; `true` unless set.
    pub fn ignore_lookup_error(mut self, value: bool) -> DestroyResourceOp {
        self.0.set("ignore_lookup_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DestroyResourceOp {
        DestroyResourceOp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
