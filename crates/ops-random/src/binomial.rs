//! StatelessRandomBinomial and StatefulRandomBinomial: successes among a number of trials.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{DataType, Element, Result, Shape, Status, Tensor, dispatch_over, f16};

use crate::philox::Philox;
use crate::samples::{Pairs, Sample, dispatch_sample, fill_samples, samples_per_parameter};
use crate::source::{self, BLOCKS_PER_VALUE, advance_variable, scalar_input, shape_of};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "StatelessRandomBinomial(shape: S, seed: Tseed, counts: T, probs: T) -> (output: dtype)
                S: {int32, int64}
                Tseed: {int32, int64} = int64
                T: {half, float, double, int32, int64} = double
                dtype: {half, float, double, int32, int64} = int64",
        )?
        .shape(source::seed_shape)
        .not_differentiable(),
        |build| kernel(build, false),
    )?;
    registry.add(
        OpSpec::new(
            "StatefulRandomBinomial(resource: resource, algorithm: int64, shape: S, counts: T, probs: T) -> (output: dtype) @stateful
                S: {int32, int64}
                T: {half, float, double, int32, int64} = double
                dtype: {half, float, double, int32, int64} = int64",
        )?
        .shape(source::variable_shape),
        |build| kernel(build, true),
    )
}

fn kernel(build: &KernelBuild<'_>, stateful: bool) -> Result<KernelBox> {
    Ok(KernelBox::new(Binomial { dtype: build.dtype("dtype")?, stateful }))
}

struct Binomial {
    dtype: DataType,
    stateful: bool,
}

impl Kernel for Binomial {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let first = if self.stateful { 2 } else { 0 };
        let shape = shape_of(cx.input(first))?;
        let (counts, probabilities) = match self.stateful {
            true => (cx.input(3), cx.input(4)),
            false => (cx.input(2), cx.input(3)),
        };
        let broadcast = Broadcast::new([counts.dims(), probabilities.dims()]).map_err(|_| {
            Status::invalid_argument(format!(
                "counts and probs must have compatible batch dimensions: {} vs. {}",
                counts.shape(),
                probabilities.shape()
            ))
        })?;
        let samples = samples_per_parameter(&shape, &broadcast.output)?;
        let batches = broadcast.output.elements();
        let philox = if self.stateful {
            let algorithm = scalar_input(cx.input(1), 1)?;
            // TensorFlow sets aside this many values, as 32-bit numbers in blocks of four.
            let values = (batches as u64).wrapping_mul(200).wrapping_mul(samples as u64 + 3) / 4;
            advance_variable(cx, Some(algorithm), values.wrapping_mul(BLOCKS_PER_VALUE))?
        } else {
            Philox::from_seed(cx.input(1))?
        };
        if shape.elements() == 0 {
            cx.set_output(0, Tensor::new(self.dtype, &shape)?);
            return Ok(());
        }
        let trials = dispatch_over!(counts.dtype(), cx.node().op_name(), T => {
            trials::<T>(counts, probabilities, &broadcast)
        }, Float: f32, Double: f64, Half: f16)?;
        let output = dispatch_sample!(self.dtype, cx.node().op_name(), T => {
            fill::<T>(cx, &trials, &shape, samples, philox)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn fill<T: Sample>(
    cx: &OpContext<'_>,
    trials: &[Trial],
    shape: &Shape,
    samples: usize,
    philox: Philox,
) -> Result<Tensor> {
    fill_samples(cx.parallel(), shape, trials, samples, |trial, number| {
        T::from_double(trial.draw(philox, number))
    })
}

/// One pair of parameters and the method that suits it.
enum Trial {
    Always(f64),
    /// Sums of waiting times, for few successes.
    Inversion {
        count: f64,
        probability: f64,
        failures: bool,
    },
    /// Transformed rejection, for many.
    Rejection {
        count: f64,
        probability: f64,
        failures: bool,
    },
}

fn trials<T: Element + num_traits::Float>(
    counts: &Tensor,
    probabilities: &Tensor,
    broadcast: &Broadcast<2>,
) -> Result<Vec<Trial>> {
    let (counts, probabilities) = (counts.as_slice::<T>()?, probabilities.as_slice::<T>()?);
    let mut trials = Vec::with_capacity(broadcast.output.elements());
    let [count_step, probability_step] = broadcast.inner_strides();
    broadcast.for_rows(0..broadcast.rows(), |_, [c, p]| {
        for i in 0..broadcast.inner() {
            trials.push(trial(counts[c + i * count_step], probabilities[p + i * probability_step]));
        }
    });
    Ok(trials)
}

/// Chooses in the precision of the parameters, as the choice decides which numbers are drawn.
fn trial<T: num_traits::Float>(count: T, probability: T) -> Trial {
    let double = |v: T| v.to_f64().unwrap_or(f64::NAN);
    let number = |v: f64| T::from(v).unwrap_or_else(T::zero);
    if count <= T::zero() || probability <= T::zero() {
        return Trial::Always(0.0);
    }
    if probability >= T::one() {
        return Trial::Always(double(count));
    }
    if probability.is_nan() || count.is_nan() {
        return Trial::Always(f64::NAN);
    }
    let failures = probability > number(0.5);
    let rarer = if failures { T::one() - probability } else { probability };
    let (many, count, probability) = (count * rarer >= number(10.0), double(count), double(rarer));
    match many {
        true => Trial::Rejection { count, probability, failures },
        false => Trial::Inversion { count, probability, failures },
    }
}

impl Trial {
    fn draw(&self, philox: Philox, number: u64) -> f64 {
        let (rarer, count, failures) = match *self {
            Trial::Always(value) => return value,
            Trial::Inversion { count, probability, failures } => {
                // 42 blocks hold ten standard deviations of a mean of ten.
                let local = philox.skipped(number.wrapping_mul(42));
                (inversion(count, probability, local), count, failures)
            }
            Trial::Rejection { count, probability, failures } => {
                let local = philox.skipped(number.wrapping_mul(BLOCKS_PER_VALUE));
                (rejection(count, probability, local), count, failures)
            }
        };
        if failures { count - rarer } else { rarer }
    }
}

fn inversion(count: f64, probability: f64, mut philox: Philox) -> f64 {
    let mut uniforms = Pairs::uniform();
    let mut waited = 0.0;
    let mut successes = 0.0;
    loop {
        waited += (uniforms.next(&mut philox).ln() / (-probability).ln_1p()).ceil();
        if waited > count {
            return successes;
        }
        successes += 1.0;
    }
}

/// What Stirling's formula leaves out of log(k!).
fn stirling_tail(k: f64) -> f64 {
    const TAILS: [f64; 10] = [
        0.0810614667953272,
        0.0413406959554092,
        0.0276779256849983,
        0.02079067210376509,
        0.0166446911898211,
        0.0138761288230707,
        0.0118967099458917,
        0.0104112652619720,
        0.00925546218271273,
        0.00833056343336287,
    ];
    if k <= 9.0 {
        return TAILS[k.max(0.0) as usize];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

/// Hörmann's transformed rejection with squeeze.
fn rejection(count: f64, probability: f64, mut philox: Philox) -> f64 {
    let deviation = (count * probability * (1.0 - probability)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * probability;
    let c = count * probability + 0.5;
    let squeeze = 0.92 - 4.2 / b;
    let odds = probability / (1.0 - probability);
    let alpha = (2.83 + 5.1 / b) * deviation;
    let mode = ((count + 1.0) * probability).floor();
    let mut uniforms = Pairs::uniform();
    loop {
        let u = uniforms.next(&mut philox) - 0.5;
        let v = uniforms.next(&mut philox);
        let shifted = 0.5 - u.abs();
        let k = ((2.0 * a / shifted + b) * u + c).floor();
        if shifted >= 0.07 && v <= squeeze {
            return k;
        }
        if k < 0.0 || k > count {
            continue;
        }
        let v = (v * alpha / (a / (shifted * shifted) + b)).ln();
        let bound = (mode + 0.5) * ((mode + 1.0) / (odds * (count - mode + 1.0))).ln()
            + (count + 1.0) * ((count - mode + 1.0) / (count - k + 1.0)).ln()
            + (k + 0.5) * (odds * (count - k + 1.0) / (k + 1.0)).ln()
            + stirling_tail(mode)
            + stirling_tail(count - mode)
            - stirling_tail(k)
            - stirling_tail(count - k);
        if v <= bound {
            return k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(shape: &[i32], counts: &[f32], probabilities: &[f32]) -> Result<Tensor> {
        OpTest::new(register, "StatelessRandomBinomial")
            .attr("dtype", DataType::Double)
            .input(Tensor::vector(shape).unwrap())
            .input(Tensor::vector(&[1i32, 2]).unwrap())
            .input(Tensor::vector(counts).unwrap())
            .input(Tensor::vector(probabilities).unwrap())
            .run_one()
    }

    #[test]
    fn means_are_count_times_probability() {
        let out = run(&[2000, 3], &[10.0, 100.0, 100.0], &[0.2, 0.5, 0.9]).unwrap();
        let values = out.as_slice::<f64>().unwrap();
        for (i, expected) in [2.0, 50.0, 90.0].iter().enumerate() {
            let mean = values.iter().skip(i).step_by(3).sum::<f64>() / 2000.0;
            assert!((mean - expected).abs() < 0.5, "{mean}");
        }
    }

    #[test]
    fn odd_parameters_come_to_an_end() {
        let nan = f32::NAN;
        let out = run(&[4], &[nan, 3.0, f32::INFINITY, -1.0], &[0.5, nan, 0.5, 0.5]).unwrap();
        let values = out.as_slice::<f64>().unwrap();
        assert!(values[0].is_nan() && values[1].is_nan() && values[3] == 0.0);
        assert!(run(&[3], &[1.0, 2.0], &[0.5]).is_err());
        assert!(run(&[3], &[1.0, 2.0], &[0.5, 0.5, 0.5]).is_err());
    }
}
