//! `StringJoin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringJoin(inputs) -> (output)`.
///
/// * `inputs`: `N` values of string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_join(graph: &Graph, inputs: &[Output]) -> StringJoin {
    let node = NodeBuilder::in_graph(graph, "StringJoin").list(inputs);
    StringJoin(node)
}

/// A `StringJoin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringJoin(NodeBuilder);

impl StringJoin {
    /// The attribute `separator`; `""` unless set.
    pub fn separator(mut self, value: &str) -> StringJoin {
        self.0.set("separator", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringJoin {
        StringJoin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
