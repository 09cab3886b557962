//! `RandomStandardNormal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomStandardNormal(shape) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `dtype`: attribute, type, one of half, bfloat16, float, double
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_standard_normal(shape: &Output, dtype: DataType) -> RandomStandardNormal {
    let mut node = NodeBuilder::new("RandomStandardNormal").input(shape);
    node.set("dtype", dtype.into());
    RandomStandardNormal(node)
}

/// A `RandomStandardNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomStandardNormal(NodeBuilder);

impl RandomStandardNormal {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomStandardNormal {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomStandardNormal {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomStandardNormal {
        RandomStandardNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
