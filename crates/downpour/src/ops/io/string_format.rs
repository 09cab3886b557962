//! `StringFormat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringFormat(inputs) -> (output)`.
///
/// * `inputs`: several, of types `T`
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_format(graph: &Graph, inputs: &[Output]) -> StringFormat {
    let node = NodeBuilder::in_graph(graph, "StringFormat").list(inputs);
    StringFormat(node)
}

/// A `StringFormat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringFormat(NodeBuilder);

impl StringFormat {
    /// The attribute `template`; `"%s"` unless set.
    pub fn template(mut self, value: &str) -> StringFormat {
        self.0.set("template", text(value));
        self
    }

    /// The attribute `placeholder`; `"%s"` unless set.
    pub fn placeholder(mut self, value: &str) -> StringFormat {
        self.0.set("placeholder", text(value));
        self
    }

    /// The attribute `summarize`; `3` unless set.
    pub fn summarize(mut self, value: i64) -> StringFormat {
        self.0.set("summarize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringFormat {
        StringFormat(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
