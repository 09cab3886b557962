//! `Switch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Switch(data, pred) -> (output_false, output_true)`.
///
/// * `data`: `T` (any type)
/// * `pred`: bool
/// * gives `output_false`: `T` (any type)
/// * gives `output_true`: `T` (any type)
///
/// Differentiable.
pub fn switch(data: &Output, pred: &Output) -> Switch {
    let node = NodeBuilder::new("Switch").input(data).input(pred);
    Switch(node)
}

/// A `Switch` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Switch(NodeBuilder);

impl Switch {
    /// Names the node.
    pub fn name(self, name: &str) -> Switch {
        Switch(self.0.name(name))
    }

    /// Adds the node and gives (`output_false`, `output_true`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
