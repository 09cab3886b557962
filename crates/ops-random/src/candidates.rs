//! Candidate samplers: classes to compare the true ones with, and how often each was to be expected.

mod accidental_hits;
mod alias_table;
mod fixed_unigram;
mod range_sampler;
mod weights;

use std::sync::Arc;

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::generator::Generator;
use crate::philox::Singles;
use range_sampler::RangeSampler;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    const OUTPUTS: &str = "(true_classes: int64) -> (sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float) @stateful
        num_true: int >= 1
        num_sampled: int >= 1
        unique: bool";
    const SEEDS: &str = "seed: int = 0
        seed2: int = 0";
    let ranged = |name: &str| {
        OpSpec::new(&format!("{name}CandidateSampler{OUTPUTS}\n range_max: int >= 1\n {SEEDS}"))
            .map(|spec| spec.shape(shape).not_differentiable())
    };
    registry.add(ranged("Uniform")?, |build| {
        kernel(build, RangeSampler::Uniform { range: range(build)? })
    })?;
    registry.add(ranged("LogUniform")?, |build| {
        kernel(build, RangeSampler::LogUniform { range: range(build)? })
    })?;
    registry.add(ranged("LearnedUnigram")?, |build| {
        kernel(build, RangeSampler::learned(range(build)?)?)
    })?;
    registry.add(ranged("ThreadUnsafeUnigram")?, |build| {
        kernel(build, RangeSampler::learned(range(build)?)?)
    })?;
    registry.add(
        OpSpec::new(&format!(
            "FixedUnigramCandidateSampler{OUTPUTS}
                range_max: int >= 1
                vocab_file: string = ''
                distortion: float = 1.0
                num_reserved_ids: int = 0
                num_shards: int >= 1 = 1
                shard: int >= 0 = 0
                unigrams: list(float) = []
                {SEEDS}"
        ))?
        .shape(shape)
        .not_differentiable(),
        fixed_unigram::kernel,
    )?;
    registry.add(
        OpSpec::new(&format!("AllCandidateSampler{OUTPUTS}\n {SEEDS}"))?
            .shape(shape)
            .not_differentiable(),
        |build| kernel(build, RangeSampler::All { range: build.int("num_sampled")? as u64 }),
    )?;
    accidental_hits::register(registry)
}

fn range(build: &KernelBuild<'_>) -> Result<u64> {
    let range = build.int("range_max")?;
    u64::try_from(range).ok().filter(|&r| r > 0).ok_or_else(|| {
        Status::invalid_argument(format!("range_max must be at least 1, got {range}"))
    })
}

fn kernel(build: &KernelBuild<'_>, sampler: RangeSampler) -> Result<KernelBox> {
    Ok(KernelBox::new(CandidateSampler::new(Settings::new(build)?, sampler)))
}

/// The attributes that all samplers share.
struct Settings {
    num_true: usize,
    num_sampled: usize,
    unique: bool,
    generator: Generator,
}

impl Settings {
    fn new(build: &KernelBuild<'_>) -> Result<Settings> {
        let count = |name: &str| {
            let value = build.int(name)?;
            let refused =
                || Status::invalid_argument(format!("{name} must be at least 1, got {value}"));
            i32::try_from(value).ok().filter(|&v| v > 0).map(|v| v as usize).ok_or_else(refused)
        };
        Ok(Settings {
            num_true: count("num_true")?,
            num_sampled: count("num_sampled")?,
            unique: build.bool("unique")?,
            generator: Generator::new(build)?,
        })
    }
}

struct CandidateSampler {
    settings: Arc<Settings>,
    sampler: RangeSampler,
}

impl CandidateSampler {
    fn new(settings: Settings, sampler: RangeSampler) -> CandidateSampler {
        CandidateSampler::shared(Arc::new(settings), sampler)
    }

    /// Draws with a generator that others draw from too.
    fn shared(settings: Arc<Settings>, sampler: RangeSampler) -> CandidateSampler {
        CandidateSampler { settings, sampler }
    }
}

impl Kernel for CandidateSampler {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let &Settings { num_true, num_sampled, unique, ref generator } = &*self.settings;
        let true_classes = cx.input(0);
        let &[batch, columns] = true_classes.dims() else {
            return Err(Status::invalid_argument("true_classes must be a matrix"));
        };
        if columns != num_true {
            return Err(Status::invalid_argument(format!(
                "true_classes must have num_true columns, expected: {columns} was: {num_true}"
            )));
        }
        let range = self.sampler.range();
        if unique && num_sampled as u64 > range {
            return Err(Status::invalid_argument("Sampler's range is too small."));
        }
        let classes = true_classes.as_slice::<i64>()?;
        if let Some(bad) = classes.iter().find(|&&c| c < 0 || c as u64 >= range) {
            return Err(Status::invalid_argument(format!(
                "`true_candidate` out of range [0, {range}), received {bad}"
            )));
        }
        // 2048 numbers per candidate, four to a block.
        let philox = generator.reserve(512 * num_sampled as u64);
        let mut singles = Singles::new(philox);
        let drawn =
            self.sampler.draw(&mut singles, unique, num_sampled, classes, cx.cancellation())?;
        cx.set_output(0, Tensor::vector(&drawn.candidates)?);
        cx.set_output(1, Tensor::from_slice([batch, columns], &drawn.true_expected)?);
        cx.set_output(2, Tensor::vector(&drawn.expected)?);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let classes = cx.with_rank(0, 2)?;
    let sampled = usize::try_from(cx.node().int("num_sampled")?).ok();
    let columns = usize::try_from(cx.node().int("num_true")?).ok();
    cx.set_output(0, PartialShape::vector(sampled));
    cx.set_output(1, PartialShape::matrix(classes.dim(0), columns));
    cx.set_output(2, PartialShape::vector(sampled));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(classes: &[i64], unique: bool, sampled: i64) -> Result<Vec<Tensor>> {
        OpTest::new(register, "LogUniformCandidateSampler")
            .attr("num_true", 1i64)
            .attr("num_sampled", sampled)
            .attr("unique", unique)
            .attr("range_max", 5i64)
            .attr("seed", 3i64)
            .input(Tensor::from_slice([classes.len(), 1], classes).unwrap())
            .run()
    }

    #[test]
    fn unique_candidates_exhaust_the_range() {
        let out = run(&[0, 4], true, 5).unwrap();
        let mut candidates = out[0].as_slice::<i64>().unwrap().to_vec();
        candidates.sort();
        assert_eq!(candidates, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn classes_beyond_the_range_are_refused() {
        assert!(run(&[5], false, 2).unwrap_err().message().contains("out of range"));
        assert!(run(&[-1], false, 2).unwrap_err().message().contains("out of range"));
        assert!(run(&[0], true, 6).unwrap_err().message().contains("range is too small"));
    }

    #[test]
    fn weights_that_cannot_give_enough_are_refused() {
        let error = OpTest::new(register, "FixedUnigramCandidateSampler")
            .attr("num_true", 1i64)
            .attr("num_sampled", 2i64)
            .attr("unique", true)
            .attr("range_max", 2i64)
            .attr("unigrams", vec![0.0f32, 1.0])
            .input(Tensor::from_slice([1, 1], &[0i64]).unwrap())
            .run_values();
        assert!(error.is_err());
    }
}
