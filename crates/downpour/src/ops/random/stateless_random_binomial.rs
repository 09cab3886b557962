//! `StatelessRandomBinomial`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomBinomial(shape, seed, counts, probs) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `counts`: `T` (half, float, double, int32, int64)
/// * `probs`: `T` (half, float, double, int32, int64)
/// * gives `output`: `dtype` (half, float, double, int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_random_binomial(
    shape: &Output,
    seed: &Output,
    counts: &Output,
    probs: &Output,
) -> StatelessRandomBinomial {
    let node = NodeBuilder::new("StatelessRandomBinomial")
        .input(shape)
        .input(seed)
        .input(counts)
        .input(probs);
    StatelessRandomBinomial(node)
}

/// A `StatelessRandomBinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomBinomial(NodeBuilder);

impl StatelessRandomBinomial {
    /// The attribute `dtype`; int64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomBinomial {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomBinomial {
        StatelessRandomBinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
