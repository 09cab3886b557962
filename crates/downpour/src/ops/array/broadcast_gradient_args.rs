//! `BroadcastGradientArgs`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BroadcastGradientArgs(s0, s1) -> (r0, r1)`.
///
/// * `s0`: `T` (int32, int64)
/// * `s1`: `T` (int32, int64)
/// * gives `r0`: `T` (int32, int64)
/// * gives `r1`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn broadcast_gradient_args(s0: &Output, s1: &Output) -> BroadcastGradientArgs {
    let node = NodeBuilder::new("BroadcastGradientArgs").input(s0).input(s1);
    BroadcastGradientArgs(node)
}

/// A `BroadcastGradientArgs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BroadcastGradientArgs(NodeBuilder);

impl BroadcastGradientArgs {
    /// Names the node.
    pub fn name(self, name: &str) -> BroadcastGradientArgs {
        BroadcastGradientArgs(self.0.name(name))
    }

    /// Adds the node and gives (`r0`, `r1`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
