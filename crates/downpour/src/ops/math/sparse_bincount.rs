//! `SparseBincount`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseBincount(indices, values, dense_shape, size, weights) -> (output)`.
///
/// * `indices`: int64
/// * `values`: `Tidx` (int32, int64)
/// * `dense_shape`: int64
/// * `size`: `Tidx` (int32, int64)
/// * `weights`: `T` (int32, int64, float, double)
/// * gives `output`: `T` (int32, int64, float, double)
///
/// Gradients do not flow through it.
pub fn sparse_bincount(
    indices: &Output,
    values: &Output,
    dense_shape: &Output,
    size: &Output,
    weights: &Output,
) -> SparseBincount {
    let node = NodeBuilder::new("SparseBincount")
        .input(indices)
        .input(values)
        .input(dense_shape)
        .input(size)
        .input(weights);
    SparseBincount(node)
}

/// A `SparseBincount` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseBincount(NodeBuilder);

impl SparseBincount {
    /// The attribute `binary_output`; `false` unless set.
    pub fn binary_output(mut self, value: bool) -> SparseBincount {
        self.0.set("binary_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseBincount {
        SparseBincount(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
