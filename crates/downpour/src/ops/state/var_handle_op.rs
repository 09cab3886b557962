//! `VarHandleOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `VarHandleOp() -> (resource)`.
///
/// * `dtype`: attribute, type
/// * `shape`: attribute, shape
/// * gives `resource`: resource
///
/// Has no gradient. Has state or effects.
pub fn var_handle_op(graph: &Graph, dtype: DataType, shape: &PartialShape) -> VarHandleOp {
    let mut node = NodeBuilder::in_graph(graph, "VarHandleOp");
    node.set("dtype", dtype.into());
    node.set("shape", shape.clone().into());
    VarHandleOp(node)
}

/// A `VarHandleOp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VarHandleOp(NodeBuilder);

impl VarHandleOp {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> VarHandleOp {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> VarHandleOp {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `debug_name`; `""` unless set.
    pub fn debug_name(mut self, value: &str) -> VarHandleOp {
        self.0.set("debug_name", text(value));
        self
    }

    /// The attribute `allowed_devices`; an empty list unless set.
    pub fn allowed_devices(mut self, value: &[&str]) -> VarHandleOp {
        self.0.set("allowed_devices", texts(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> VarHandleOp {
        VarHandleOp(self.0.name(name))
    }

    /// Adds the node and gives `resource`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
