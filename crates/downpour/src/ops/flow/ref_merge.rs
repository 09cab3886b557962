//! `RefMerge`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RefMerge(inputs) -> (output, value_index)`.
///
/// * `inputs`: `N` values of `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
/// * gives `value_index`: int32
///
/// Differentiable.
pub fn ref_merge(inputs: &[Output]) -> RefMerge {
    let node = NodeBuilder::new("RefMerge").list(inputs);
    RefMerge(node)
}

/// A `RefMerge` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RefMerge(NodeBuilder);

impl RefMerge {
    /// Names the node.
    pub fn name(self, name: &str) -> RefMerge {
        RefMerge(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `value_index`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
