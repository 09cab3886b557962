//! `StackPush`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackPush(handle, elem) -> (output)`.
///
/// * `handle`: string, a reference
/// * `elem`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn stack_push(handle: &Output, elem: &Output) -> StackPush {
    let node = NodeBuilder::new("StackPush").input(handle).input(elem);
    StackPush(node)
}

/// A `StackPush` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StackPush(NodeBuilder);

impl StackPush {
    /// The attribute `swap_memory`; `false` unless set.
    pub fn swap_memory(mut self, value: bool) -> StackPush {
        self.0.set("swap_memory", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StackPush {
        StackPush(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
