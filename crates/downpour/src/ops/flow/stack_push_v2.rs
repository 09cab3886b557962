//! `StackPushV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackPushV2(handle, elem) -> (output)`.
///
/// * `handle`: resource
/// * `elem`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_push_v2(handle: &Output, elem: &Output) -> StackPushV2 {
    let node = NodeBuilder::new("StackPushV2").input(handle).input(elem);
    StackPushV2(node)
}

/// A `StackPushV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StackPushV2(NodeBuilder);

impl StackPushV2 {
    /// The attribute `swap_memory`; `false` unless set.
    pub fn swap_memory(mut self, value: bool) -> StackPushV2 {
        self.0.set("swap_memory", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StackPushV2 {
        StackPushV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
