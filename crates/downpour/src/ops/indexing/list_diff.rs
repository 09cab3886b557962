//! `ListDiff`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ListDiff(x, y) -> (out, idx)`.
///
/// * `x`: `T` (any type)
/// * `y`: `T` (any type)
/// * gives `out`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn list_diff(x: &Output, y: &Output) -> ListDiff {
    let node = NodeBuilder::new("ListDiff").input(x).input(y);
    ListDiff(node)
}

/// A `ListDiff` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ListDiff(NodeBuilder);

impl ListDiff {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> ListDiff {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ListDiff {
        ListDiff(self.0.name(name))
    }

    /// Adds the node and gives (`out`, `idx`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
