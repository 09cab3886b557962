//! `UniformCandidateSampler`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UniformCandidateSampler(true_classes) -> (sampled_candidates, true_expected_count, sampled_expected_count)`.
///
/// * `true_classes`: int64
/// * `num_true`: attribute, int, at least 1
/// * `num_sampled`: attribute, int, at least 1
/// * `unique`: attribute, bool
/// * `range_max`: attribute, int, at least 1
/// * gives `sampled_candidates`: int64
/// * gives `true_expected_count`: float
/// * gives `sampled_expected_count`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn uniform_candidate_sampler(
    true_classes: &Output,
    num_true: i64,
    num_sampled: i64,
    unique: bool,
    range_max: i64,
) -> UniformCandidateSampler {
    let mut node = NodeBuilder::new("UniformCandidateSampler").input(true_classes);
    node.set("num_true", num_true.into());
    node.set("num_sampled", num_sampled.into());
    node.set("unique", unique.into());
    node.set("range_max", range_max.into());
    UniformCandidateSampler(node)
}

/// A `UniformCandidateSampler` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniformCandidateSampler(NodeBuilder);

impl UniformCandidateSampler {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> UniformCandidateSampler {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> UniformCandidateSampler {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniformCandidateSampler {
        UniformCandidateSampler(self.0.name(name))
    }

    /// Adds the node and gives (`sampled_candidates`, `true_expected_count`, `sampled_expected_count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
