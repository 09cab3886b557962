//! `RandomPoisson`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomPoisson(shape, rate) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `rate`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Has no gradient. Has state or effects.
pub fn random_poisson(shape: &Output, rate: &Output) -> RandomPoisson {
    let node = NodeBuilder::new("RandomPoisson").input(shape).input(rate);
    RandomPoisson(node)
}

/// A `RandomPoisson` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomPoisson(NodeBuilder);

impl RandomPoisson {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomPoisson {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomPoisson {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomPoisson {
        RandomPoisson(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
