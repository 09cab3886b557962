//! Operations of the family `random`. Generated from their definitions by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these a family needs depends on its operations
use super::support::*;

/// `AllCandidateSampler(true_classes) -> (sampled_candidates, true_expected_count, sampled_expected_count)`.
///
/// * `true_classes`: int64
/// * `num_true`: attribute, int, at least 1
/// * `num_sampled`: attribute, int, at least 1
/// * `unique`: attribute, bool
/// * gives `sampled_candidates`: int64
/// * gives `true_expected_count`: float
/// * gives `sampled_expected_count`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn all_candidate_sampler(
    true_classes: &Output,
    num_true: i64,
    num_sampled: i64,
    unique: bool,
) -> AllCandidateSampler {
    let mut node = NodeBuilder::new("AllCandidateSampler").input(true_classes);
    node.set("num_true", num_true.into());
    node.set("num_sampled", num_sampled.into());
    node.set("unique", unique.into());
    AllCandidateSampler(node)
}

/// A `AllCandidateSampler` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AllCandidateSampler(NodeBuilder);

impl AllCandidateSampler {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> AllCandidateSampler {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> AllCandidateSampler {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AllCandidateSampler {
        AllCandidateSampler(self.0.name(name))
    }

    /// Adds the node and gives (`sampled_candidates`, `true_expected_count`, `sampled_expected_count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `ComputeAccidentalHits(true_classes, sampled_candidates) -> (indices, ids, weights)`.
///
/// * `true_classes`: int64
/// * `sampled_candidates`: int64
/// * `num_true`: attribute, int
/// * gives `indices`: int32
/// * gives `ids`: int64
/// * gives `weights`: float
///
/// Gradients do not flow through it.
pub fn compute_accidental_hits(
    true_classes: &Output,
    sampled_candidates: &Output,
    num_true: i64,
) -> ComputeAccidentalHits {
    let mut node =
        NodeBuilder::new("ComputeAccidentalHits").input(true_classes).input(sampled_candidates);
    node.set("num_true", num_true.into());
    ComputeAccidentalHits(node)
}

/// A `ComputeAccidentalHits` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ComputeAccidentalHits(NodeBuilder);

impl ComputeAccidentalHits {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> ComputeAccidentalHits {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> ComputeAccidentalHits {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ComputeAccidentalHits {
        ComputeAccidentalHits(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `ids`, `weights`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `DummySeedGenerator() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn dummy_seed_generator(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "DummySeedGenerator");
    ForOutput(node)
}

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

/// `LearnedUnigramCandidateSampler(true_classes) -> (sampled_candidates, true_expected_count, sampled_expected_count)`.
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
pub fn learned_unigram_candidate_sampler(
    true_classes: &Output,
    num_true: i64,
    num_sampled: i64,
    unique: bool,
    range_max: i64,
) -> LearnedUnigramCandidateSampler {
    let mut node = NodeBuilder::new("LearnedUnigramCandidateSampler").input(true_classes);
    node.set("num_true", num_true.into());
    node.set("num_sampled", num_sampled.into());
    node.set("unique", unique.into());
    node.set("range_max", range_max.into());
    LearnedUnigramCandidateSampler(node)
}

/// A `LearnedUnigramCandidateSampler` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LearnedUnigramCandidateSampler(NodeBuilder);

impl LearnedUnigramCandidateSampler {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> LearnedUnigramCandidateSampler {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> LearnedUnigramCandidateSampler {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LearnedUnigramCandidateSampler {
        LearnedUnigramCandidateSampler(self.0.name(name))
    }

    /// Adds the node and gives (`sampled_candidates`, `true_expected_count`, `sampled_expected_count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `LogUniformCandidateSampler(true_classes) -> (sampled_candidates, true_expected_count, sampled_expected_count)`.
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
pub fn log_uniform_candidate_sampler(
    true_classes: &Output,
    num_true: i64,
    num_sampled: i64,
    unique: bool,
    range_max: i64,
) -> LogUniformCandidateSampler {
    let mut node = NodeBuilder::new("LogUniformCandidateSampler").input(true_classes);
    node.set("num_true", num_true.into());
    node.set("num_sampled", num_sampled.into());
    node.set("unique", unique.into());
    node.set("range_max", range_max.into());
    LogUniformCandidateSampler(node)
}

/// A `LogUniformCandidateSampler` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LogUniformCandidateSampler(NodeBuilder);

impl LogUniformCandidateSampler {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> LogUniformCandidateSampler {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> LogUniformCandidateSampler {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> LogUniformCandidateSampler {
        LogUniformCandidateSampler(self.0.name(name))
    }

    /// Adds the node and gives (`sampled_candidates`, `true_expected_count`, `sampled_expected_count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `Multinomial(logits, num_samples) -> (output)`.
///
/// * `logits`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `num_samples`: int32
/// * gives `output`: `output_dtype` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn multinomial(logits: &Output, num_samples: &Output) -> Multinomial {
    let node = NodeBuilder::new("Multinomial").input(logits).input(num_samples);
    Multinomial(node)
}

/// A `Multinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Multinomial(NodeBuilder);

impl Multinomial {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> Multinomial {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> Multinomial {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `output_dtype`; int64 unless set.
    pub fn output_dtype(mut self, value: DataType) -> Multinomial {
        self.0.set("output_dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Multinomial {
        Multinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `NonDeterministicInts(shape) -> (output)`.
///
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn non_deterministic_ints(shape: &Output) -> NonDeterministicInts {
    let node = NodeBuilder::new("NonDeterministicInts").input(shape);
    NonDeterministicInts(node)
}

/// A `NonDeterministicInts` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonDeterministicInts(NodeBuilder);

impl NonDeterministicInts {
    /// The attribute `dtype`; int64 unless set.
    pub fn dtype(mut self, value: DataType) -> NonDeterministicInts {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonDeterministicInts {
        NonDeterministicInts(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

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

/// `RandomGammaGrad(alpha, sample) -> (output)`.
///
/// * `alpha`: `T` (float, double)
/// * `sample`: `T` (float, double)
/// * gives `output`: `T` (float, double)
///
/// Has no gradient.
pub fn random_gamma_grad(alpha: &Output, sample: &Output) -> ForOutput {
    let node = NodeBuilder::new("RandomGammaGrad").input(alpha).input(sample);
    ForOutput(node)
}

/// `RandomIndexShuffle(index, seed, max_index) -> (output)`.
///
/// * `index`: `dtype` (int32, uint32, int64, uint64)
/// * `seed`: `Tseed` (int32, uint32, int64, uint64)
/// * `max_index`: `dtype` (int32, uint32, int64, uint64)
/// * gives `output`: `dtype` (int32, uint32, int64, uint64)
///
/// Gradients do not flow through it.
pub fn random_index_shuffle(
    index: &Output,
    seed: &Output,
    max_index: &Output,
) -> RandomIndexShuffle {
    let node = NodeBuilder::new("RandomIndexShuffle").input(index).input(seed).input(max_index);
    RandomIndexShuffle(node)
}

/// A `RandomIndexShuffle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomIndexShuffle(NodeBuilder);

impl RandomIndexShuffle {
    /// The attribute `rounds`; `4` unless set.
    pub fn rounds(mut self, value: i64) -> RandomIndexShuffle {
        self.0.set("rounds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomIndexShuffle {
        RandomIndexShuffle(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

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

/// `RandomShuffle(value) -> (output)`.
///
/// * `value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn random_shuffle(value: &Output) -> RandomShuffle {
    let node = NodeBuilder::new("RandomShuffle").input(value);
    RandomShuffle(node)
}

/// A `RandomShuffle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomShuffle(NodeBuilder);

impl RandomShuffle {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> RandomShuffle {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> RandomShuffle {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomShuffle {
        RandomShuffle(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

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

/// `RngReadAndSkip(resource, alg, delta) -> (value)`.
///
/// * `resource`: resource
/// * `alg`: int32
/// * `delta`: uint64
/// * gives `value`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn rng_read_and_skip(resource: &Output, alg: &Output, delta: &Output) -> ForOutput {
    let node = NodeBuilder::new("RngReadAndSkip").input(resource).input(alg).input(delta);
    ForOutput(node)
}

/// `RngSkip(resource, algorithm, delta) -> ()`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `delta`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn rng_skip(resource: &Output, algorithm: &Output, delta: &Output) -> ForOperation {
    let node = NodeBuilder::new("RngSkip").input(resource).input(algorithm).input(delta);
    ForOperation(node)
}

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

/// `StatefulStandardNormal(resource, shape) -> (output)`.
///
/// * `resource`: resource
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_standard_normal(resource: &Output, shape: &Output) -> StatefulStandardNormal {
    let node = NodeBuilder::new("StatefulStandardNormal").input(resource).input(shape);
    StatefulStandardNormal(node)
}

/// A `StatefulStandardNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulStandardNormal(NodeBuilder);

impl StatefulStandardNormal {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulStandardNormal {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulStandardNormal {
        StatefulStandardNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatefulStandardNormalV2(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_standard_normal_v2(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
) -> StatefulStandardNormalV2 {
    let node =
        NodeBuilder::new("StatefulStandardNormalV2").input(resource).input(algorithm).input(shape);
    StatefulStandardNormalV2(node)
}

/// A `StatefulStandardNormalV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulStandardNormalV2(NodeBuilder);

impl StatefulStandardNormalV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulStandardNormalV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulStandardNormalV2 {
        StatefulStandardNormalV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatefulTruncatedNormal(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_truncated_normal(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
) -> StatefulTruncatedNormal {
    let node =
        NodeBuilder::new("StatefulTruncatedNormal").input(resource).input(algorithm).input(shape);
    StatefulTruncatedNormal(node)
}

/// A `StatefulTruncatedNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulTruncatedNormal(NodeBuilder);

impl StatefulTruncatedNormal {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulTruncatedNormal {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulTruncatedNormal {
        StatefulTruncatedNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatefulUniform(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_uniform(resource: &Output, algorithm: &Output, shape: &Output) -> StatefulUniform {
    let node = NodeBuilder::new("StatefulUniform").input(resource).input(algorithm).input(shape);
    StatefulUniform(node)
}

/// A `StatefulUniform` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulUniform(NodeBuilder);

impl StatefulUniform {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulUniform {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulUniform {
        StatefulUniform(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatefulUniformFullInt(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_uniform_full_int(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
) -> StatefulUniformFullInt {
    let node =
        NodeBuilder::new("StatefulUniformFullInt").input(resource).input(algorithm).input(shape);
    StatefulUniformFullInt(node)
}

/// A `StatefulUniformFullInt` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulUniformFullInt(NodeBuilder);

impl StatefulUniformFullInt {
    /// The attribute `dtype`; uint64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulUniformFullInt {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulUniformFullInt {
        StatefulUniformFullInt(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatefulUniformInt(resource, algorithm, shape, minval, maxval) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * `minval`: `dtype` (any type)
/// * `maxval`: `dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_uniform_int(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
    minval: &Output,
    maxval: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatefulUniformInt")
        .input(resource)
        .input(algorithm)
        .input(shape)
        .input(minval)
        .input(maxval);
    ForOutput(node)
}

/// `StatelessMultinomial(logits, num_samples, seed) -> (output)`.
///
/// * `logits`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `num_samples`: int32
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `output_dtype` (int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_multinomial(
    logits: &Output,
    num_samples: &Output,
    seed: &Output,
) -> StatelessMultinomial {
    let node =
        NodeBuilder::new("StatelessMultinomial").input(logits).input(num_samples).input(seed);
    StatelessMultinomial(node)
}

/// A `StatelessMultinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessMultinomial(NodeBuilder);

impl StatelessMultinomial {
    /// The attribute `output_dtype`; int64 unless set.
    pub fn output_dtype(mut self, value: DataType) -> StatelessMultinomial {
        self.0.set("output_dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessMultinomial {
        StatelessMultinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessParameterizedTruncatedNormal(shape, seed, means, stddevs, minvals, maxvals) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `means`: `dtype` (half, float, double)
/// * `stddevs`: `dtype` (half, float, double)
/// * `minvals`: `dtype` (half, float, double)
/// * `maxvals`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Differentiable.
pub fn stateless_parameterized_truncated_normal(
    shape: &Output,
    seed: &Output,
    means: &Output,
    stddevs: &Output,
    minvals: &Output,
    maxvals: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessParameterizedTruncatedNormal")
        .input(shape)
        .input(seed)
        .input(means)
        .input(stddevs)
        .input(minvals)
        .input(maxvals);
    ForOutput(node)
}

/// `StatelessRandomBinomial(shape, seed, counts, probs) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `counts`: `T` (half, float, double, int32, int64)
/// * `probs`: `T` (half, float, double, int32, int64)
/// * gives `output`: `dtype` (half, float, double, int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_random_binomial(
    shape: &Output,
    seed: &Output,
    counts: &Output,
    probs: &Output,
) -> StatelessRandomBinomial {
    let node = NodeBuilder::new("StatelessRandomBinomial")
        .input(shape)
        .input(seed)
        .input(counts)
        .input(probs);
    StatelessRandomBinomial(node)
}

/// A `StatelessRandomBinomial` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomBinomial(NodeBuilder);

impl StatelessRandomBinomial {
    /// The attribute `dtype`; int64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomBinomial {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomBinomial {
        StatelessRandomBinomial(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessRandomGammaV2(shape, seed, alpha) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `alpha`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Differentiable.
pub fn stateless_random_gamma_v2(shape: &Output, seed: &Output, alpha: &Output) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomGammaV2").input(shape).input(seed).input(alpha);
    ForOutput(node)
}

/// `StatelessRandomGammaV3(shape, key, counter, alg, alpha) -> (output)`.
///
/// * `shape`: `shape_dtype` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * `alpha`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Differentiable.
pub fn stateless_random_gamma_v3(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
    alpha: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomGammaV3")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg)
        .input(alpha);
    ForOutput(node)
}

/// `StatelessRandomGetAlg() -> (alg)`.
///
/// * gives `alg`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateless_random_get_alg(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "StatelessRandomGetAlg");
    ForOutput(node)
}

/// `StatelessRandomGetKeyCounter(seed) -> (key, counter)`.
///
/// * `seed`: `Tseed` (int32, int64)
/// * gives `key`: uint64
/// * gives `counter`: uint64
///
/// Gradients do not flow through it.
pub fn stateless_random_get_key_counter(seed: &Output) -> StatelessRandomGetKeyCounter {
    let node = NodeBuilder::new("StatelessRandomGetKeyCounter").input(seed);
    StatelessRandomGetKeyCounter(node)
}

/// A `StatelessRandomGetKeyCounter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomGetKeyCounter(NodeBuilder);

impl StatelessRandomGetKeyCounter {
    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomGetKeyCounter {
        StatelessRandomGetKeyCounter(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `counter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}

/// `StatelessRandomGetKeyCounterAlg(seed) -> (key, counter, alg)`.
///
/// * `seed`: `Tseed` (int32, int64)
/// * gives `key`: uint64
/// * gives `counter`: uint64
/// * gives `alg`: int32
///
/// Gradients do not flow through it.
pub fn stateless_random_get_key_counter_alg(seed: &Output) -> StatelessRandomGetKeyCounterAlg {
    let node = NodeBuilder::new("StatelessRandomGetKeyCounterAlg").input(seed);
    StatelessRandomGetKeyCounterAlg(node)
}

/// A `StatelessRandomGetKeyCounterAlg` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomGetKeyCounterAlg(NodeBuilder);

impl StatelessRandomGetKeyCounterAlg {
    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomGetKeyCounterAlg {
        StatelessRandomGetKeyCounterAlg(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `counter`, `alg`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `StatelessRandomNormal(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_normal(shape: &Output, seed: &Output) -> StatelessRandomNormal {
    let node = NodeBuilder::new("StatelessRandomNormal").input(shape).input(seed);
    StatelessRandomNormal(node)
}

/// A `StatelessRandomNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomNormal(NodeBuilder);

impl StatelessRandomNormal {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomNormal {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomNormal {
        StatelessRandomNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessRandomNormalV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_normal_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessRandomNormalV2 {
    let node = NodeBuilder::new("StatelessRandomNormalV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessRandomNormalV2(node)
}

/// A `StatelessRandomNormalV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomNormalV2(NodeBuilder);

impl StatelessRandomNormalV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomNormalV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomNormalV2 {
        StatelessRandomNormalV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessRandomPoisson(shape, seed, lam) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `lam`: `Rtype` (half, float, double, int32, int64)
/// * `dtype`: attribute, type, one of half, float, double, int32, int64
/// * gives `output`: `dtype` (half, float, double, int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_random_poisson(
    shape: &Output,
    seed: &Output,
    lam: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("StatelessRandomPoisson").input(shape).input(seed).input(lam);
    node.set("dtype", dtype.into());
    ForOutput(node)
}

/// `StatelessRandomUniform(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform(shape: &Output, seed: &Output) -> StatelessRandomUniform {
    let node = NodeBuilder::new("StatelessRandomUniform").input(shape).input(seed);
    StatelessRandomUniform(node)
}

/// A `StatelessRandomUniform` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniform(NodeBuilder);

impl StatelessRandomUniform {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniform {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniform {
        StatelessRandomUniform(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessRandomUniformFullInt(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64, uint32, uint64)
/// * gives `output`: `dtype` (int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_full_int(
    shape: &Output,
    seed: &Output,
) -> StatelessRandomUniformFullInt {
    let node = NodeBuilder::new("StatelessRandomUniformFullInt").input(shape).input(seed);
    StatelessRandomUniformFullInt(node)
}

/// A `StatelessRandomUniformFullInt` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniformFullInt(NodeBuilder);

impl StatelessRandomUniformFullInt {
    /// The attribute `dtype`; uint64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniformFullInt {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniformFullInt {
        StatelessRandomUniformFullInt(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessRandomUniformFullIntV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_full_int_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessRandomUniformFullIntV2 {
    let node = NodeBuilder::new("StatelessRandomUniformFullIntV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessRandomUniformFullIntV2(node)
}

/// A `StatelessRandomUniformFullIntV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniformFullIntV2(NodeBuilder);

impl StatelessRandomUniformFullIntV2 {
    /// The attribute `dtype`; uint64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniformFullIntV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniformFullIntV2 {
        StatelessRandomUniformFullIntV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessRandomUniformInt(shape, seed, minval, maxval) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `minval`: `dtype` (int32, int64)
/// * `maxval`: `dtype` (int32, int64)
/// * gives `output`: `dtype` (int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_int(
    shape: &Output,
    seed: &Output,
    minval: &Output,
    maxval: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomUniformInt")
        .input(shape)
        .input(seed)
        .input(minval)
        .input(maxval);
    ForOutput(node)
}

/// `StatelessRandomUniformIntV2(shape, key, counter, alg, minval, maxval) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * `minval`: `dtype` (int32, int64, uint32, uint64)
/// * `maxval`: `dtype` (int32, int64, uint32, uint64)
/// * gives `output`: `dtype` (int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_int_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
    minval: &Output,
    maxval: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomUniformIntV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg)
        .input(minval)
        .input(maxval);
    ForOutput(node)
}

/// `StatelessRandomUniformV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessRandomUniformV2 {
    let node = NodeBuilder::new("StatelessRandomUniformV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessRandomUniformV2(node)
}

/// A `StatelessRandomUniformV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessRandomUniformV2(NodeBuilder);

impl StatelessRandomUniformV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessRandomUniformV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessRandomUniformV2 {
        StatelessRandomUniformV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessShuffle(value, key, counter, alg) -> (output)`.
///
/// * `value`: `T` (any type)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn stateless_shuffle(
    value: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("StatelessShuffle").input(value).input(key).input(counter).input(alg);
    ForOutput(node)
}

/// `StatelessTruncatedNormal(shape, seed) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_truncated_normal(shape: &Output, seed: &Output) -> StatelessTruncatedNormal {
    let node = NodeBuilder::new("StatelessTruncatedNormal").input(shape).input(seed);
    StatelessTruncatedNormal(node)
}

/// A `StatelessTruncatedNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessTruncatedNormal(NodeBuilder);

impl StatelessTruncatedNormal {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessTruncatedNormal {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessTruncatedNormal {
        StatelessTruncatedNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `StatelessTruncatedNormalV2(shape, key, counter, alg) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn stateless_truncated_normal_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> StatelessTruncatedNormalV2 {
    let node = NodeBuilder::new("StatelessTruncatedNormalV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg);
    StatelessTruncatedNormalV2(node)
}

/// A `StatelessTruncatedNormalV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatelessTruncatedNormalV2(NodeBuilder);

impl StatelessTruncatedNormalV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatelessTruncatedNormalV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatelessTruncatedNormalV2 {
        StatelessTruncatedNormalV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

/// `ThreadUnsafeUnigramCandidateSampler(true_classes) -> (sampled_candidates, true_expected_count, sampled_expected_count)`.
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
pub fn thread_unsafe_unigram_candidate_sampler(
    true_classes: &Output,
    num_true: i64,
    num_sampled: i64,
    unique: bool,
    range_max: i64,
) -> ThreadUnsafeUnigramCandidateSampler {
    let mut node = NodeBuilder::new("ThreadUnsafeUnigramCandidateSampler").input(true_classes);
    node.set("num_true", num_true.into());
    node.set("num_sampled", num_sampled.into());
    node.set("unique", unique.into());
    node.set("range_max", range_max.into());
    ThreadUnsafeUnigramCandidateSampler(node)
}

/// A `ThreadUnsafeUnigramCandidateSampler` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ThreadUnsafeUnigramCandidateSampler(NodeBuilder);

impl ThreadUnsafeUnigramCandidateSampler {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> ThreadUnsafeUnigramCandidateSampler {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> ThreadUnsafeUnigramCandidateSampler {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ThreadUnsafeUnigramCandidateSampler {
        ThreadUnsafeUnigramCandidateSampler(self.0.name(name))
    }

    /// Adds the node and gives (`sampled_candidates`, `true_expected_count`, `sampled_expected_count`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}

/// `TruncatedNormal(shape) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `dtype`: attribute, type, one of half, bfloat16, float, double
/// * gives `output`: `dtype` (half, bfloat16, float, double)
///
/// Gradients do not flow through it. Has state or effects.
pub fn truncated_normal(shape: &Output, dtype: DataType) -> TruncatedNormal {
    let mut node = NodeBuilder::new("TruncatedNormal").input(shape);
    node.set("dtype", dtype.into());
    TruncatedNormal(node)
}

/// A `TruncatedNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TruncatedNormal(NodeBuilder);

impl TruncatedNormal {
    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> TruncatedNormal {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> TruncatedNormal {
        self.0.set("seed2", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TruncatedNormal {
        TruncatedNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

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
