//! `RandomUniform`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomUniform(shape) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `dtype`: attribute, type, one of half, bfloat16, float, double
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_uniform(shape: &Output, dtype: DataType) -> RandomUniform {
    let mut node = NodeBuilder::new("RandomUniform").input(shape);
    node.set("dtype", dtype.into());
    RandomUniform(node)
}

/// A `RandomUniform` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomUniform(NodeBuilder);

impl RandomUniform {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomUniform {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomUniform {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomUniform {
        RandomUniform(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
