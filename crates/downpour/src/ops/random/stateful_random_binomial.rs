//! `StatefulRandomBinomial`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulRandomBinomial(resource, algorithm, shape, counts, probs) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `S` (int32, int64)
/// * `counts`: `T` (half, float, double, int32, int64)
/// * `probs`: `T` (half, float, double, int32, int64)
/// * gives `output`: `dtype` (half, float, double, int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn stateful_random_binomial(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
    counts: &Output,
    probs: &Output,
) -> StatefulRandomBinomial {
    let node = NodeBuilder::new("StatefulRandomBinomial")
        .input(resource)
        .input(algorithm)
        .input(shape)
        .input(counts)
        .input(probs);
    StatefulRandomBinomial(node)
}

/// A `StatefulRandomBinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulRandomBinomial(NodeBuilder);

impl StatefulRandomBinomial {
    /// The attribute `dtype`; int64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulRandomBinomial {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulRandomBinomial {
        StatefulRandomBinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
