//! `DepthToSpace`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DepthToSpace(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn depth_to_space(input: &Output, block_size: i64) -> DepthToSpace {
    let mut node = NodeBuilder::new("DepthToSpace").input(input);
    node.set("block_size", block_size.into());
    DepthToSpace(node)
}

/// A `DepthToSpace` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DepthToSpace(NodeBuilder);

impl DepthToSpace {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> DepthToSpace {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DepthToSpace {
        DepthToSpace(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
