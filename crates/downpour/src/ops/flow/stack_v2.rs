//! `StackV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackV2(max_size) -> (handle)`.
///
/// * `max_size`: int32
/// * `elem_type`: attribute, type
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_v2(max_size: &Output, elem_type: DataType) -> StackV2 {
    let mut node = NodeBuilder::new("StackV2").input(max_size);
    node.set("elem_type", elem_type.into());
    StackV2(node)
}

/// A `StackV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StackV2(NodeBuilder);

impl StackV2 {
    /// The attribute `stack_name`; `""` unless set.
    pub fn stack_name(mut self, value: &str) -> StackV2 {
        self.0.set("stack_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StackV2 {
        StackV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
