//! `All`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `All(input, reduction_indices) -> (output)`.
///
/// * `input`: bool
/// * `reduction_indices`: `Tidx` (int32, int64)
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn all(input: &Output, reduction_indices: &Output) -> All {
    let node = NodeBuilder::new("All").input(input).input(reduction_indices);
    All(node)
}

/// A `All` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct All(NodeBuilder);

impl All {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> All {
        self.0.set("keep_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> All {
        All(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
