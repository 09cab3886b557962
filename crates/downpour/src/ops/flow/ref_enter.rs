//! `RefEnter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RefEnter(data) -> (output)`.
///
/// * `data`: `T` (any type), a reference
/// * `frame_name`: attribute, string
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_enter(data: &Output, frame_name: &str) -> RefEnter {
    let mut node = NodeBuilder::new("RefEnter").input(data);
    node.set("frame_name", text(frame_name));
    RefEnter(node)
}

/// A `RefEnter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RefEnter(NodeBuilder);

impl RefEnter {
    /// The attribute `is_constant`; `false` unless set.
    pub fn is_constant(mut self, value: bool) -> RefEnter {
        self.0.set("is_constant", value.into());
        self
    }

    /// The attribute `parallel_iterations`; `10` unless set.
    pub fn parallel_iterations(mut self, value: i64) -> RefEnter {
        self.0.set("parallel_iterations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RefEnter {
        RefEnter(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
