//! `TopK`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TopK(input) -> (values, indices)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `k`: attribute, int, at least 0
/// * gives `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `indices`: int32
///
/// Differentiable.
pub fn top_k(input: &Output, k: i64) -> TopK {
    let mut node = NodeBuilder::new("TopK").input(input);
    node.set("k", k.into());
    TopK(node)
}

/// A `TopK` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TopK(NodeBuilder);

impl TopK {
    /// The attribute `sorted`; `true` unless set.
    pub fn sorted(mut self, value: bool) -> TopK {
        self.0.set("sorted", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TopK {
        TopK(self.0.name(name))
    }

    /// Adds the node and gives (`values`, `indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
