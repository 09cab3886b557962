//! `OneHot`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OneHot(indices, depth, on_value, off_value) -> (output)`.
///
/// * `indices`: `TI` (uint8, int8, int32, int64)
/// * `depth`: int32
/// * `on_value`: `T` (any type)
/// * `off_value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn one_hot(indices: &Output, depth: &Output, on_value: &Output, off_value: &Output) -> OneHot {
    let node =
        NodeBuilder::new("OneHot").input(indices).input(depth).input(on_value).input(off_value);
    OneHot(node)
}

/// A `OneHot` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OneHot(NodeBuilder);

impl OneHot {
    /// The attribute `axis`; `-1` unless set.
    pub fn axis(mut self, value: i64) -> OneHot {
        self.0.set("axis", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OneHot {
        OneHot(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
