//! `Merge`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Merge(inputs) -> (output, value_index)`.
///
/// * `inputs`: `N` values of `T` (any type)
/// * gives `output`: `T` (any type)
/// * gives `value_index`: int32
///
/// Differentiable.
pub fn merge(inputs: &[Output]) -> Merge {
    let node = NodeBuilder::new("Merge").list(inputs);
    Merge(node)
}

/// A `Merge` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Merge(NodeBuilder);

impl Merge {
    /// Names the node.
    pub fn name(self, name: &str) -> Merge {
        Merge(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `value_index`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
