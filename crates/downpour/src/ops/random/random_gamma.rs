//! `RandomGamma`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomGamma(shape, alpha) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `alpha`: `T` (half, float, double)
/// * gives `output`: `T` (half, float, double)
///
/// Differentiable. Has state or effects.
pub fn random_gamma(shape: &Output, alpha: &Output) -> RandomGamma {
    let node = NodeBuilder::new("RandomGamma").input(shape).input(alpha);
    RandomGamma(node)
}

/// A `RandomGamma` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomGamma(NodeBuilder);

impl RandomGamma {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomGamma {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomGamma {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomGamma {
        RandomGamma(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
