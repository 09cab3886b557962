//! `Assert`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Assert(condition, data) -> ()`.
///
/// * `condition`: bool
/// * `data`: several, of types `T`
///
/// Gradients do not flow through it. Has state or effects.
pub fn assert(condition: &Output, data: &[Output]) -> Assert {
    let node = NodeBuilder::new("Assert").input(condition).list(data);
    Assert(node)
}

/// A `Assert` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Assert(NodeBuilder);

impl Assert {
    /// The attribute `summarize`; `3` unless set.
    pub fn summarize(mut self, value: i64) -> Assert {
        self.0.set("summarize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Assert {
        Assert(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
