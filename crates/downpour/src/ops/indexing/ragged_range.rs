//! `RaggedRange`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedRange(starts, limits, deltas) -> (rt_nested_splits, rt_dense_values)`.
///
/// * `starts`: `T` (bfloat16, float, double, int32, int64)
/// * `limits`: `T` (bfloat16, float, double, int32, int64)
/// * `deltas`: `T` (bfloat16, float, double, int32, int64)
/// * gives `rt_nested_splits`: `Tsplits` (int32, int64)
/// * gives `rt_dense_values`: `T` (bfloat16, float, double, int32, int64)
///
/// Gradients do not flow through it.
pub fn ragged_range(starts: &Output, limits: &Output, deltas: &Output) -> RaggedRange {
    let node = NodeBuilder::new("RaggedRange").input(starts).input(limits).input(deltas);
    RaggedRange(node)
}

/// A `RaggedRange` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedRange(NodeBuilder);

impl RaggedRange {
    /// The attribute `Tsplits`; int64 unless set.
    pub fn tsplits(mut self, value: DataType) -> RaggedRange {
        self.0.set("Tsplits", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RaggedRange {
        RaggedRange(self.0.name(name))
    }

    /// Adds the node and gives (`rt_nested_splits`, `rt_dense_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
