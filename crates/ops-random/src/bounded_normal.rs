//! ParameterizedTruncatedNormal and its stateless form: normal numbers with given mean, deviation and bounds.
//!
//! Three ways of drawing suit three kinds of bounds: normal numbers are rejected when the bounds hold
//! much of the mass, uniform ones when they are close, exponential ones in a far tail.

use downpour_graph::{Endpoint, Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{DataType, Element, Result, Shape, Status, Tensor, dispatch_over, f16};

use crate::distributions::{Distribution, Normal, Uniform};
use crate::generator::Generator;
use crate::philox::Philox;
use crate::samples::samples_per_parameter;
use crate::source::{expect_seed, shape_of};

/// Draws for one value before giving up.
const MOST_DRAWS: u64 = 1000;

/// Values that share one set of parameters are drawn in batches of this size.
const BATCH: usize = 100;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ParameterizedTruncatedNormal(shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype) -> (output: dtype) @stateful
                seed: int = 0
                seed2: int = 0
                dtype: {half, bfloat16, float, double}
                T: {int32, int64}",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Batched(Generator::new(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessParameterizedTruncatedNormal(shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, maxvals: dtype) -> (output: dtype)
                S: {int32, int64}
                Tseed: {int32, int64} = int64
                dtype: {half, float, double}",
        )?
        .shape(stateless_shape)
        .gradient(gradient),
        |_| Ok(KernelBox::function(stateless)),
    )
}

/// A float with the two distributions draws are made of.
trait Real: Element + num_traits::Float
where
    Normal<Self>: Distribution<Value = Self>,
    Uniform<Self>: Distribution<Value = Self>,
{
    fn real(value: f64) -> Self {
        <Self as num_traits::NumCast>::from(value).unwrap_or_else(Self::zero)
    }
}
impl Real for f32 {}
impl Real for f64 {}
impl Real for f16 {}

/// Parameters in the generator's stream of one output; draws continue from batch to batch.
struct Sampler<T> {
    philox: Philox,
    marker: std::marker::PhantomData<T>,
}

impl<T: Real> Sampler<T>
where
    Normal<T>: Distribution<Value = T>,
    Uniform<T>: Distribution<Value = T>,
{
    fn new(philox: Philox) -> Sampler<T> {
        Sampler { philox, marker: std::marker::PhantomData }
    }

    /// Calls `store` with `count` values between the bounds.
    fn draw(
        &mut self,
        [mean, deviation, low, high]: [T; 4],
        count: usize,
        mut store: impl FnMut(usize, T),
    ) -> Result<()> {
        let zero = T::zero();
        if !(deviation > zero && low < high && (low.is_finite() || high.is_finite())) {
            return Err(Status::invalid_argument("Invalid parameters"));
        }
        // A bound on one side only becomes the lower one, and two bounds below the mean change
        // sides: the rest then knows only the right tail.
        let (deviation, low, high) = match (low.is_infinite() && low < zero) || high < mean {
            true => (-deviation, high, low),
            false => (deviation, low, high),
        };
        let (low, high) = ((low - mean) / deviation, (high - mean) / deviation);
        let root = (low * low + T::real(4.0)).sqrt();
        let cutoff = T::real(2.0) * (T::real(0.5) + (low * (low - root)) / T::real(4.0)).exp()
            / (low + root);
        let enough = T::real(1.3);
        let mut stored = 0;
        let mut keep = |value: T| {
            store(stored, value * deviation + mean);
            stored += 1;
            stored == count
        };
        if count == 0 {
            Ok(())
        } else if (low < -enough && high >= zero) || (high > enough && low <= zero) {
            self.by_normals(low, high, &mut keep)
        } else if high - low < cutoff {
            self.by_uniforms(low, high, &mut keep)
        } else {
            self.by_exponentials(low, high, &mut keep)
        }
    }

    fn by_normals(&mut self, low: T, high: T, keep: &mut impl FnMut(T) -> bool) -> Result<()> {
        let normal = Normal::<T>(std::marker::PhantomData);
        let mut misses = 0;
        loop {
            let group = normal.group(&mut self.philox);
            for value in &group[..Normal::<T>::GROUP] {
                if *value >= low && *value <= high {
                    if keep(*value) {
                        return Ok(());
                    }
                    misses = 0;
                } else {
                    misses += 1;
                    if misses > MOST_DRAWS {
                        return Err(exhausted("randn rejection"));
                    }
                }
            }
        }
    }

    fn by_uniforms(&mut self, low: T, high: T, keep: &mut impl FnMut(T) -> bool) -> Result<()> {
        let uniform = Uniform::<T>(std::marker::PhantomData);
        let peak = if low < T::zero() { T::zero() } else { low * low };
        let mut misses = 0;
        loop {
            let places = uniform.group(&mut self.philox);
            let heights = uniform.group(&mut self.philox);
            for (place, height) in places.iter().zip(&heights).take(Uniform::<T>::GROUP) {
                let z = *place * (high - low) + low;
                if *height <= ((peak - z * z) / T::real(2.0)).exp() {
                    if keep(z) {
                        return Ok(());
                    }
                    misses = 0;
                } else {
                    misses += 1;
                    if misses >= MOST_DRAWS {
                        return Err(exhausted("uniform rejection"));
                    }
                }
            }
        }
    }

    fn by_exponentials(&mut self, low: T, high: T, keep: &mut impl FnMut(T) -> bool) -> Result<()> {
        let uniform = Uniform::<T>(std::marker::PhantomData);
        let alpha = (low + (low * low + T::real(4.0)).sqrt()) / T::real(2.0);
        let mut misses = 0;
        loop {
            let group = uniform.group(&mut self.philox);
            for pair in group[..Uniform::<T>::GROUP].chunks_exact(2) {
                let z = -pair[0].ln() / alpha + low;
                let x = if low < alpha { alpha - z } else { low - alpha };
                if pair[1] <= (-x * x / T::real(2.0)).exp() && z < high {
                    if keep(z) {
                        return Ok(());
                    }
                    misses = 0;
                } else {
                    misses += 1;
                    if misses >= MOST_DRAWS {
                        return Err(exhausted("exponential distribution rejection"));
                    }
                }
            }
        }
    }
}

fn exhausted(method: &str) -> Status {
    Status::invalid_argument(format!("TruncatedNormal {method} sampler failed to accept a sample."))
}

struct Batched(Generator);

impl Kernel for Batched {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = cx.input(0);
        if sizes.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "Input shape should be a vector, got shape: {}",
                sizes.shape()
            )));
        }
        if sizes.is_empty() {
            return Err(Status::invalid_argument("Shape tensor must not be empty, got []"));
        }
        let shape = shape_of(sizes)?;
        let names = ["means", "stddevs", "minvals", "maxvals"];
        let rows = shape[0];
        for (i, name) in names.iter().enumerate() {
            let parameter = cx.input(i + 1);
            if parameter.rank() > 1 {
                return Err(Status::invalid_argument(format!(
                    "Input {name} should be a scalar or vector, got shape: {}",
                    parameter.shape()
                )));
            }
        }
        let single = |i: usize| cx.input(i).rank() == 0 || cx.input(i).len() == 1;
        let shared = single(1) && single(2) && cx.input(3).rank() == 0 && cx.input(4).rank() == 0;
        let (batches, samples) = match shared {
            true => (shape.elements().div_ceil(BATCH), BATCH),
            false => (rows, shape[1..].iter().product()),
        };
        if !shared {
            for (i, name) in names.iter().enumerate() {
                let parameter = cx.input(i + 1);
                if !single(i + 1) && parameter.len() != rows {
                    return Err(Status::invalid_argument(format!(
                        "Input {name} should have length 1 or shape[0], got shape: {}",
                        parameter.shape()
                    )));
                }
            }
        }
        let blocks =
            (batches as u64).wrapping_mul(2 * MOST_DRAWS).wrapping_mul(samples as u64 + 3) / 4;
        let philox = self.0.reserve(blocks);
        let dtype = cx.input(1).dtype();
        let output = dispatch_over!(dtype, cx.node().op_name(), T => {
            batched::<T>(cx, &shape, batches, samples, philox)
        }, Float: f32, Double: f64, Half: f16)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn batched<T: Real>(
    cx: &OpContext<'_>,
    shape: &Shape,
    batches: usize,
    samples: usize,
    philox: Philox,
) -> Result<Tensor>
where
    Normal<T>: Distribution<Value = T>,
    Uniform<T>: Distribution<Value = T>,
{
    let mut output = Tensor::new(T::DTYPE, shape)?;
    let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
    let mut parameters = [&[] as &[T]; 4];
    for (i, slice) in parameters.iter_mut().enumerate() {
        *slice = cx.input(i + 1).as_slice::<T>()?;
    }
    let mut sampler = Sampler::<T>::new(philox);
    for batch in 0..batches {
        let values = parameters.map(|p| p[if p.len() == 1 { 0 } else { batch }]);
        let range = (batch * samples).min(out.len())..((batch + 1) * samples).min(out.len());
        let run = &mut out[range];
        sampler.draw(values, run.len(), |i, value| run[i] = value)?;
    }
    Ok(output)
}

fn stateless(cx: &mut OpContext<'_>) -> Result<()> {
    let philox = Philox::from_seed(cx.input(1))?;
    let inputs = [cx.input(2), cx.input(3), cx.input(4), cx.input(5)];
    let broadcast = Broadcast::new(inputs.map(Tensor::dims)).map_err(|_| {
        Status::invalid_argument(format!(
            "means, stddevs, minvals, maxvals must have compatible batch dimensions: {} vs. {} \
             vs. {} vs. {}",
            inputs[0].shape(),
            inputs[1].shape(),
            inputs[2].shape(),
            inputs[3].shape()
        ))
    })?;
    let shape = shape_of(cx.input(0))?;
    let samples = samples_per_parameter(&shape, &broadcast.output)?;
    let dtype = inputs[0].dtype();
    let output = dispatch_over!(dtype, cx.node().op_name(), T => {
        per_parameter::<T>(inputs, &shape, samples, &broadcast, philox)
    }, Float: f32, Double: f64, Half: f16)?;
    cx.set_output(0, output);
    Ok(())
}

fn per_parameter<T: Real>(
    inputs: [&Tensor; 4],
    shape: &Shape,
    samples: usize,
    broadcast: &Broadcast<4>,
    philox: Philox,
) -> Result<Tensor>
where
    Normal<T>: Distribution<Value = T>,
    Uniform<T>: Distribution<Value = T>,
{
    let mut output = Tensor::new(T::DTYPE, shape)?;
    let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
    if out.is_empty() {
        return Ok(output);
    }
    let mut parameters = [&[] as &[T]; 4];
    for (slice, input) in parameters.iter_mut().zip(inputs) {
        *slice = input.as_slice::<T>()?;
    }
    let batches = broadcast.output.elements();
    let steps = broadcast.inner_strides();
    let mut sampler = Sampler::<T>::new(philox);
    let mut result = Ok(());
    broadcast.for_rows(0..broadcast.rows(), |first, offsets| {
        for i in 0..broadcast.inner() {
            let values = std::array::from_fn(|k| parameters[k][offsets[k] + i * steps[k]]);
            if result.is_ok() {
                result = sampler.draw(values, samples, |sample, value| {
                    out[sample * batches + first + i] = value;
                });
            }
        }
    });
    result.map(|()| output)
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 1..5 {
        if cx.input(i).rank().is_some_and(|r| r > 1) {
            return Err(Status::invalid_argument(format!(
                "Shape must be at most rank 1 for input {i} of {}",
                cx.describe()
            )));
        }
    }
    shapes::from_first_input_value(cx)
}

fn stateless_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    expect_seed(cx, 1)?;
    let mut all = cx.input(2).clone();
    for i in 3..6 {
        all = shapes::broadcast(&all, cx.input(i))?;
    }
    shapes::from_first_input_value(cx)
}

/// How a sample moves with mean, deviation and bounds while its place in the distribution stays:
/// with the place u = (N(x) - N(low)) / (N(high) - N(low)), all in standard units.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (mean, deviation, low, high) = (cx.input(2), cx.input(3), cx.input(4), cx.input(5));
    let sample = cx.output(0);
    let mut standard = |value: Endpoint| -> Result<Endpoint> {
        let centred = cx.op("Sub", &[value, mean])?;
        cx.op("RealDiv", &[centred, deviation])
    };
    let (x, a, b) = (standard(sample)?, standard(low)?, standard(high)?);

    let (n_x, n_a, n_b) = (normal_cdf(cx, x)?, normal_cdf(cx, a)?, normal_cdf(cx, b)?);
    let (above, mass) = (cx.op("Sub", &[n_x, n_a])?, cx.op("Sub", &[n_b, n_a])?);
    let place = cx.op("RealDiv", &[above, mass])?;
    // Away from 0 and 1, where the logarithms below end.
    let (tiny, epsilon) = match cx.dtype(sample) {
        DataType::Double => (f64::MIN_POSITIVE, f64::EPSILON),
        DataType::Half => (6.104e-5, 9.766e-4),
        _ => (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)),
    };
    let (least, most) = (cx.number(tiny, sample)?, cx.number(1.0 - epsilon, sample)?);
    let place = cx.op("Maximum", &[place, least])?;
    let place = cx.op("Minimum", &[place, most])?;

    let log_place = cx.op("Log", &[place])?;
    let rest = cx.op("Neg", &[place])?;
    let log_rest = cx.op("Log1p", &[rest])?;
    let by_high = bound_slope(cx, x, b, log_place)?;
    let by_low = bound_slope(cx, x, a, log_rest)?;
    let mut gradients = vec![Gradient::None, Gradient::None];
    for (parameter, slope) in
        [(mean, None), (deviation, Some(x)), (low, Some(by_low)), (high, Some(by_high))]
    {
        let product = match slope {
            Some(slope) => cx.op("Mul", &[grad, slope])?,
            None => grad,
        };
        gradients.push(Gradient::Dense(cx.unbroadcast(product, parameter, sample)?));
    }
    Ok(gradients)
}

/// The standard normal distribution function, exact in both tails.
fn normal_cdf(cx: &mut GradientContext<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let scale = cx.number(-std::f64::consts::FRAC_1_SQRT_2, x)?;
    let scaled = cx.op("Mul", &[x, scale])?;
    let tail = cx.op("Erfc", &[scaled])?;
    let half = cx.number(0.5, x)?;
    cx.op("Mul", &[tail, half])
}

/// exp((x² - bound²) / 2 + weight): the ratio of the densities at bound and sample, weighted.
fn bound_slope(
    cx: &mut GradientContext<'_, '_>,
    x: Endpoint,
    bound: Endpoint,
    weight: Endpoint,
) -> Result<Endpoint> {
    let (x_square, bound_square) = (cx.op("Square", &[x])?, cx.op("Square", &[bound])?);
    let difference = cx.op("Sub", &[x_square, bound_square])?;
    let half = cx.number(0.5, x)?;
    let exponent = cx.op("Mul", &[difference, half])?;
    let sum = cx.op("AddV2", &[exponent, weight])?;
    cx.op("Exp", &[sum])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(means: f32, deviation: f32, low: f32, high: f32) -> Result<Tensor> {
        [means, deviation, low, high]
            .iter()
            .fold(
                OpTest::new(register, "ParameterizedTruncatedNormal")
                    .attr("seed", 5i64)
                    .input(Tensor::vector(&[10i32, 30]).unwrap()),
                |test, value| test.input(Tensor::scalar(*value)),
            )
            .run_one()
    }

    #[test]
    fn values_stay_between_the_bounds() {
        for (low, high) in [(-1.0, 1.0), (5.0, 6.0), (-f32::INFINITY, -4.0), (3.0, f32::INFINITY)] {
            let out = run(0.0, 1.0, low, high).unwrap();
            assert!(out.as_slice::<f32>().unwrap().iter().all(|v| (low..=high).contains(v)));
        }
    }

    #[test]
    fn impossible_parameters_are_refused() {
        assert!(run(0.0, 0.0, -1.0, 1.0).is_err());
        assert!(run(0.0, 1.0, 1.0, -1.0).is_err());
        assert!(run(0.0, f32::NAN, -1.0, 1.0).is_err());
        assert!(run(f32::NAN, 1.0, -1.0, 1.0).is_err());
        assert!(run(0.0, 1.0, f32::NEG_INFINITY, f32::INFINITY).is_err());
    }
}
