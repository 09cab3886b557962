//! RandomPoisson, RandomPoissonV2 and StatelessRandomPoisson: counts with given means.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Tensor};

use crate::gamma::appended_shape;
use crate::philox::Philox;
use crate::samples::{
    Pairs, Sample, appended, dispatch_sample, doubles, fill_samples, samples_per_parameter,
};
use crate::source::{self, BLOCKS_PER_VALUE, Source};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RandomPoisson(shape: S, rate: dtype) -> (output: dtype) @stateful
                seed: int = 0
                seed2: int = 0
                S: {int32, int64}
                dtype: {half, float, double}",
        )?
        .shape(appended_shape),
        |build| kernel(build, Source::node(build)?),
    )?;
    registry.add(
        OpSpec::new(
            "RandomPoissonV2(shape: S, rate: R) -> (output: dtype) @stateful
                seed: int = 0
                seed2: int = 0
                S: {int32, int64}
                R: {half, float, double, int32, int64} = double
                dtype: {half, float, double, int32, int64} = int64",
        )?
        .shape(appended_shape),
        |build| kernel(build, Source::node(build)?),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessRandomPoisson(shape: T, seed: Tseed, lam: Rtype) -> (output: dtype)
                Rtype: {half, float, double, int32, int64}
                dtype: {half, float, double, int32, int64}
                T: {int32, int64}
                Tseed: {int32, int64} = int64",
        )?
        .shape(source::seed_shape)
        .not_differentiable(),
        |build| kernel(build, Source::Seed),
    )
}

fn kernel(build: &KernelBuild<'_>, source: Source) -> Result<KernelBox> {
    Ok(KernelBox::new(Poisson { dtype: build.dtype("dtype")?, source }))
}

struct Poisson {
    dtype: DataType,
    source: Source,
}

impl Kernel for Poisson {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let asked = self.source.shape(cx)?;
        let rate = cx.input(self.source.parameter(0));
        let shape = match self.source {
            Source::Node(_) => appended(&asked, rate.shape())?,
            _ => asked,
        };
        if shape.elements() == 0 {
            cx.set_output(0, Tensor::new(self.dtype, &shape)?);
            return Ok(());
        }
        let samples = samples_per_parameter(&shape, rate.dims())?;
        let rates: Vec<Rate> = doubles(rate)?.into_iter().map(Rate::new).collect();
        let philox = self.source.philox(cx, shape.elements())?;
        let output = dispatch_sample!(self.dtype, cx.node().op_name(), T => {
            fill::<T>(cx, &rates, &shape, samples, philox)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn fill<T: Sample>(
    cx: &OpContext<'_>,
    rates: &[Rate],
    shape: &Shape,
    samples: usize,
    philox: Philox,
) -> Result<Tensor> {
    fill_samples(cx.parallel(), shape, rates, samples, |rate, number| {
        let local = philox.skipped(number.wrapping_mul(BLOCKS_PER_VALUE));
        T::from_double(rate.draw(local, T::HIGHEST))
    })
}

/// A mean, and what each of the methods needs of it.
struct Rate {
    rate: f64,
    exp_negative: f64,
    log: f64,
    a: f64,
    b: f64,
    inverse_alpha: f64,
}

impl Rate {
    fn new(rate: f64) -> Rate {
        let b = 0.931 + 2.53 * rate.sqrt();
        Rate {
            rate,
            exp_negative: (-rate).exp(),
            log: rate.ln(),
            a: -0.059 + 0.02483 * b,
            b,
            inverse_alpha: 1.1239 + 1.1328 / (b - 3.4),
        }
    }

    fn draw(&self, philox: Philox, highest: f64) -> f64 {
        if self.rate < 10.0 {
            self.by_products(philox)
        } else if self.rate.is_finite() {
            self.by_rejection(philox, highest)
        } else {
            self.rate
        }
    }

    /// Knuth: counts the uniform numbers whose product stays above exp(-rate).
    fn by_products(&self, mut philox: Philox) -> f64 {
        let mut uniforms = Pairs::uniform();
        let mut product = 1.0;
        let mut count = 0.0;
        loop {
            product *= uniforms.next(&mut philox);
            if product <= self.exp_negative {
                return count;
            }
            count += 1.0;
        }
    }

    /// Hörmann's transformed rejection.
    fn by_rejection(&self, mut philox: Philox, highest: f64) -> f64 {
        // A mean beyond the type's largest value would be rejected for ever.
        const MOST_OVERFLOWS: usize = 1000;
        let mut uniforms = Pairs::uniform();
        let mut overflows = 0;
        loop {
            let u = uniforms.next(&mut philox) - 0.5;
            let v = uniforms.next(&mut philox);
            let shifted = 0.5 - u.abs();
            let k = ((2.0 * self.a / shifted + self.b) * u + self.rate + 0.43).floor();
            if k > highest {
                overflows += 1;
                if overflows == MOST_OVERFLOWS {
                    return highest;
                }
                continue;
            }
            if shifted >= 0.07 && v <= 0.9277 - 3.6224 / (self.b - 2.0) {
                return k;
            }
            if k < 0.0 || (shifted < 0.013 && v > shifted) {
                continue;
            }
            let s = (v * self.inverse_alpha / (self.a / (shifted * shifted) + self.b)).ln();
            let t = -self.rate + k * self.log - libm::lgamma(k + 1.0);
            if s <= t {
                return k;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(rate: Tensor, dtype: DataType) -> Tensor {
        OpTest::new(register, "RandomPoissonV2")
            .attr("seed", 3i64)
            .attr("dtype", dtype)
            .input(Tensor::vector(&[2000i32]).unwrap())
            .input(rate)
            .run_one()
            .unwrap()
    }

    #[test]
    fn means_are_the_rates() {
        let out = run(Tensor::vector(&[0.5f32, 7.0, 40.0]).unwrap(), DataType::Int32);
        let values = out.as_slice::<i32>().unwrap();
        for (i, expected) in [0.5, 7.0, 40.0].iter().enumerate() {
            let mean =
                values.iter().skip(i).step_by(3).map(|&v| f64::from(v)).sum::<f64>() / 2000.0;
            assert!((mean - expected).abs() < 0.5, "{mean}");
        }
    }

    #[test]
    fn rates_that_are_no_means_come_to_an_end() {
        let rates = [f64::NAN, -1.0, f64::INFINITY, 1e300];
        let out = run(Tensor::vector(&rates).unwrap(), DataType::Double);
        let first = &out.as_slice::<f64>().unwrap()[..4];
        assert!(first[0].is_nan() && first[1] == 0.0 && first[2].is_infinite());
        run(Tensor::vector(&rates).unwrap(), DataType::Int32);
    }
}
