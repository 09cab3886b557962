//! `UniqueWithCountsV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UniqueWithCountsV2(x, axis) -> (y, idx, count)`.
///
/// * `x`: `T` (any type)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
/// * gives `count`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique_with_counts_v2(x: &Output, axis: &Output) -> UniqueWithCountsV2 {
    let node = NodeBuilder::new("UniqueWithCountsV2").input(x).input(axis);
    UniqueWithCountsV2(node)
}

/// A `UniqueWithCountsV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniqueWithCountsV2(NodeBuilder);

impl UniqueWithCountsV2 {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> UniqueWithCountsV2 {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniqueWithCountsV2 {
        UniqueWithCountsV2(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`, `count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
