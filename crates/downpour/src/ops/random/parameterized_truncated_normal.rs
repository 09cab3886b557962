//! `ParameterizedTruncatedNormal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParameterizedTruncatedNormal(shape, means, stdevs, minvals, maxvals) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `means`: `dtype` (half, bfloat16, float, double)
/// * `stdevs`: `dtype` (half, bfloat16, float, double)
/// * `minvals`: `dtype` (half, bfloat16, float, double)
/// * `maxvals`: `dtype` (half, bfloat16, float, double)
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it. Has state or effects.
pub fn parameterized_truncated_normal(
    shape: &Output,
    means: &Output,
    stdevs: &Output,
    minvals: &Output,
    maxvals: &Output,
) -> ParameterizedTruncatedNormal {
    let node = NodeBuilder::new("ParameterizedTruncatedNormal")
        .input(shape)
        .input(means)
        .input(stdevs)
        .input(minvals)
        .input(maxvals);
    ParameterizedTruncatedNormal(node)
}

/// A `ParameterizedTruncatedNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ParameterizedTruncatedNormal(NodeBuilder);

impl ParameterizedTruncatedNormal {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> ParameterizedTruncatedNormal {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> ParameterizedTruncatedNormal {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ParameterizedTruncatedNormal {
        ParameterizedTruncatedNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
