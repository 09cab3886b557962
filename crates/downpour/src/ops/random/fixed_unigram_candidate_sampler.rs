//! `FixedUnigramCandidateSampler`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FixedUnigramCandidateSampler(true_classes) -> (sampled_candidates, true_expected_count, sampled_expected_count)`.
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
pub fn fixed_unigram_candidate_sampler(
    true_classes: &Output,
    num_true: i64,
    num_sampled: i64,
    unique: bool,
    range_max: i64,
) -> FixedUnigramCandidateSampler {
    let mut node = NodeBuilder::new("FixedUnigramCandidateSampler").input(true_classes);
    node.set("num_true", num_true.into());
    node.set("num_sampled", num_sampled.into());
    node.set("unique", unique.into());
    node.set("range_max", range_max.into());
    FixedUnigramCandidateSampler(node)
}

/// A `FixedUnigramCandidateSampler` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FixedUnigramCandidateSampler(NodeBuilder);

impl FixedUnigramCandidateSampler {
    /// The attribute `vocab_file`; `""` unless set.
    pub fn vocab_file(mut self, value: &str) -> FixedUnigramCandidateSampler {
        self.0.set("vocab_file", text(value));
        self
    }

    /// The attribute `distortion`; `1.0` unless set.
    pub fn distortion(mut self, value: f32) -> FixedUnigramCandidateSampler {
        self.0.set("distortion", value.into());
        self
    }

    /// The attribute `num_reserved_ids`; `0` unless set.
    pub fn num_reserved_ids(mut self, value: i64) -> FixedUnigramCandidateSampler {
        self.0.set("num_reserved_ids", value.into());
        self
    }

    /// The attribute `num_shards`; `1` unless set.
    pub fn num_shards(mut self, value: i64) -> FixedUnigramCandidateSampler {
        self.0.set("num_shards", value.into());
        self
    }

    /// The attribute `shard`; `0` unless set.
    pub fn shard(mut self, value: i64) -> FixedUnigramCandidateSampler {
        self.0.set("shard", value.into());
        self
    }

    /// The attribute `unigrams`; an empty list unless set.
    pub fn unigrams(mut self, value: &[f32]) -> FixedUnigramCandidateSampler {
        self.0.set("unigrams", value.to_vec().into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> FixedUnigramCandidateSampler {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> FixedUnigramCandidateSampler {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FixedUnigramCandidateSampler {
        FixedUnigramCandidateSampler(self.0.name(name))
    }

    /// Adds the node and gives (`sampled_candidates`, `true_expected_count`, `sampled_expected_count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
