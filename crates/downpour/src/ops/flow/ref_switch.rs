//! `RefSwitch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RefSwitch(data, pred) -> (output_false, output_true)`.
///
/// * `data`: `T` (any type), a reference
/// * `pred`: bool
/// * gives `output_false`: `T` (any type), a reference
/// * gives `output_true`: `T` (any type), a reference
///
/// Differentiable.
pub fn ref_switch(data: &Output, pred: &Output) -> RefSwitch {
    let node = NodeBuilder::new("RefSwitch").input(data).input(pred);
    RefSwitch(node)
}

/// A `RefSwitch` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RefSwitch(NodeBuilder);

impl RefSwitch {
    /// Names the node.
    pub fn name(self, name: &str) -> RefSwitch {
        RefSwitch(self.0.name(name))
    }

    /// Adds the node and gives (`output_false`, `output_true`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
