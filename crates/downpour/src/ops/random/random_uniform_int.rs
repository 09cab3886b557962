//! `RandomUniformInt`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomUniformInt(shape, minval, maxval) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `minval`: `Tout` (int32, int64)
/// * `maxval`: `Tout` (int32, int64)
/// * gives `output`: `Tout` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_uniform_int(shape: &Output, minval: &Output, maxval: &Output) -> RandomUniformInt {
    let node = NodeBuilder::new("RandomUniformInt").input(shape).input(minval).input(maxval);
    RandomUniformInt(node)
}

/// A `RandomUniformInt` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomUniformInt(NodeBuilder);

impl RandomUniformInt {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomUniformInt {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomUniformInt {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomUniformInt {
        RandomUniformInt(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
