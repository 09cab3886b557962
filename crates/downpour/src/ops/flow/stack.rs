//! `Stack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Stack() -> (handle)`.
///
/// * `elem_type`: attribute, type
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack(graph: &Graph, elem_type: DataType) -> Stack {
    let mut node = NodeBuilder::in_graph(graph, "Stack");
    node.set("elem_type", elem_type.into());
    Stack(node)
}

/// A `Stack` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Stack(NodeBuilder);

impl Stack {
    /// The attribute `stack_name`; `""` unless set.
    pub fn stack_name(mut self, value: &str) -> Stack {
        self.0.set("stack_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Stack {
        Stack(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
