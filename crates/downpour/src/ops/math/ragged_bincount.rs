//! `RaggedBincount`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedBincount(splits, values, size, weights) -> (output)`.
///
/// * `splits`: int64
/// * `values`: `Tidx` (int32, int64)
/// * `size`: `Tidx` (int32, int64)
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `output`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn ragged_bincount(
    splits: &Output,
    values: &Output,
    size: &Output,
    weights: &Output,
) -> RaggedBincount {
    let node =
        NodeBuilder::new("RaggedBincount").input(splits).input(values).input(size).input(weights);
    RaggedBincount(node)
}

/// A `RaggedBincount` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedBincount(NodeBuilder);

impl RaggedBincount {
    /// The attribute `binary_output`; `false` unless set.
    pub fn binary_output(mut self, value: bool) -> RaggedBincount {
        self.0.set("binary_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RaggedBincount {
        RaggedBincount(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
