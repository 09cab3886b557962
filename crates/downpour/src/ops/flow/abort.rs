//! `Abort`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Abort() -> ()`.
///
/// Gradients do not flow through it.
pub fn abort(graph: &Graph) -> Abort {
    let node = NodeBuilder::in_graph(graph, "Abort");
    Abort(node)
}

/// A `Abort` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Abort(NodeBuilder);

impl Abort {
    /// The attribute `error_msg`; `""` unless set.
    pub fn error_msg(mut self, value: &str) -> Abort {
        self.0.set("error_msg", text(value));
        self
    }

    /// The attribute `exit_without_error`; `false` unless set.
    pub fn exit_without_error(mut self, value: bool) -> Abort {
        self.0.set("exit_without_error", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Abort {
        Abort(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
