//! `RandomPoissonV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomPoissonV2(shape, rate) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `rate`: `R` (half, float, double, int32, int64)
/// * gives `output`: `dtype` (half, float, double, int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn random_poisson_v2(shape: &Output, rate: &Output) -> RandomPoissonV2 {
    let node = NodeBuilder::new("RandomPoissonV2").input(shape).input(rate);
    RandomPoissonV2(node)
}

/// A `RandomPoissonV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomPoissonV2(NodeBuilder);

impl RandomPoissonV2 {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomPoissonV2 {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomPoissonV2 {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `dtype`; int64 unless set.
    pub fn dtype(mut self, value: DataType) -> RandomPoissonV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomPoissonV2 {
        RandomPoissonV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
