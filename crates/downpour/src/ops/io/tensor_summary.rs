//! `TensorSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorSummary(tensor) -> (summary)`.
///
/// * `tensor`: `T` (any type)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn tensor_summary(tensor: &Output) -> TensorSummary {
    let node = NodeBuilder::new("TensorSummary").input(tensor);
    TensorSummary(node)
}

/// A `TensorSummary` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TensorSummary(NodeBuilder);

impl TensorSummary {
    /// The attribute `description`; `""` unless set.
    pub fn description(mut self, value: &str) -> TensorSummary {
        self.0.set("description", text(value));
        self
    }

    /// The attribute `labels`; an empty list unless set.
    pub fn labels(mut self, value: &[&str]) -> TensorSummary {
        self.0.set("labels", texts(value));
        self
    }

    /// The attribute `display_name`; `""` unless set.
    pub fn display_name(mut self, value: &str) -> TensorSummary {
        self.0.set("display_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TensorSummary {
        TensorSummary(self.0.name(name))
    }

    /// Adds the node and gives `summary`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
