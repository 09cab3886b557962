//! `DenseBincount`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DenseBincount(input, size, weights) -> (output)`.
///
/// * `input`: `Tidx` (int32, int64)
/// * `size`: `Tidx` (int32, int64)
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `output`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn dense_bincount(input: &Output, size: &Output, weights: &Output) -> DenseBincount {
    let node = NodeBuilder::new("DenseBincount").input(input).input(size).input(weights);
    DenseBincount(node)
}

/// A `DenseBincount` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseBincount(NodeBuilder);

impl DenseBincount {
    /// The attribute `binary_output`; `false` unless set.
    pub fn binary_output(mut self, value: bool) -> DenseBincount {
        self.0.set("binary_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseBincount {
        DenseBincount(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
