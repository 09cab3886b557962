//! `UniqueV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UniqueV2(x, axis) -> (y, idx)`.
///
/// * `x`: `T` (any type)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique_v2(x: &Output, axis: &Output) -> UniqueV2 {
    let node = NodeBuilder::new("UniqueV2").input(x).input(axis);
    UniqueV2(node)
}

/// A `UniqueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniqueV2(NodeBuilder);

impl UniqueV2 {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> UniqueV2 {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniqueV2 {
        UniqueV2(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
