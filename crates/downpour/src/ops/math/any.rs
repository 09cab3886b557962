//! `Any`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Any(input, reduction_indices) -> (output)`.
///
/// * `input`: bool
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn any(input: &Output, reduction_indices: &Output) -> Any {
    let node = NodeBuilder::new("Any").input(input).input(reduction_indices);
    Any(node)
}

/// A `Any` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Any(NodeBuilder);

impl Any {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> Any {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Any {
        Any(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
