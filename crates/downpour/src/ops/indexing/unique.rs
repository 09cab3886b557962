//! `Unique`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Unique(x) -> (y, idx)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
/// * gives `idx`: `out_idx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unique(x: &Output) -> Unique {
    let node = NodeBuilder::new("Unique").input(x);
    Unique(node)
}

/// A `Unique` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Unique(NodeBuilder);

impl Unique {
    /// The attribute `out_idx`; int32 unless set.
    pub fn out_idx(mut self, value: DataType) -> Unique {
        self.0.set("out_idx", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Unique {
        Unique(self.0.name(name))
    }

    /// Adds the node and gives (`y`, `idx`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
