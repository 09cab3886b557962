//! RandomGamma and its stateless forms: samples of gamma distributions, by the method of Marsaglia and Tsang.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor, dispatch_over, f16};

use crate::philox::Philox;
use crate::samples::{Pairs, Sample, appended, doubles, fill_samples, samples_per_parameter};
use crate::source::{self, BLOCKS_PER_VALUE, Source};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RandomGamma(shape: S, alpha: T) -> (output: T) @stateful
                seed: int = 0
                seed2: int = 0
                S: {int32, int64}
                T: {half, float, double}",
        )?
        .shape(appended_shape)
        .gradient(|cx| gradient(cx, 1)),
        |build| Ok(KernelBox::new(Gamma(Source::node(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessRandomGammaV2(shape: T, seed: Tseed, alpha: dtype) -> (output: dtype)
                dtype: {half, float, double}
                T: {int32, int64}
                Tseed: {int32, int64} = int64",
        )?
        .shape(source::seed_shape)
        .gradient(|cx| gradient(cx, 2)),
        |_| Ok(KernelBox::new(Gamma(Source::Seed))),
    )?;
    registry.add(
        OpSpec::new(
            "StatelessRandomGammaV3(shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha: dtype) -> (output: dtype)
                dtype: {half, float, double}
                shape_dtype: {int32, int64} = int32",
        )?
        .shape(source::key_counter_shape)
        .gradient(|cx| gradient(cx, 4)),
        |_| Ok(KernelBox::new(Gamma(Source::KeyCounter))),
    )
}

struct Gamma(Source);

impl Kernel for Gamma {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let asked = self.0.shape(cx)?;
        let alpha = cx.input(self.0.parameter(0));
        let shape = match self.0 {
            Source::Node(_) => appended(&asked, alpha.shape())?,
            _ => asked,
        };
        if shape.elements() == 0 {
            cx.set_output(0, Tensor::new(alpha.dtype(), &shape)?);
            return Ok(());
        }
        let samples = samples_per_parameter(&shape, alpha.dims())?;
        if alpha.is_empty() {
            return Err(Status::invalid_argument(
                "Input alpha should have non-zero element count, got: 0",
            ));
        }
        let philox = self.0.philox(cx, shape.elements())?;
        let output = dispatch_over!(alpha.dtype(), cx.node().op_name(), T => {
            fill::<T>(cx, alpha, &shape, samples, philox)
        }, Float: f32, Double: f64, Half: f16)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn fill<T: Sample>(
    cx: &OpContext<'_>,
    alpha: &Tensor,
    shape: &Shape,
    samples: usize,
    philox: Philox,
) -> Result<Tensor> {
    let parameters: Vec<Parameters> = doubles(alpha)?.into_iter().map(Parameters::new).collect();
    fill_samples(cx.parallel(), shape, &parameters, samples, |parameters, number| {
        let local = philox.skipped(number.wrapping_mul(BLOCKS_PER_VALUE));
        T::from_double(parameters.draw(local))
    })
}

struct Parameters {
    alpha: f64,
    d: f64,
    c: f64,
}

impl Parameters {
    fn new(alpha: f64) -> Parameters {
        // Below one, a sample for alpha + 1 is scaled down by a power of a uniform number.
        let d = alpha + if alpha < 1.0 { 2.0 / 3.0 } else { -1.0 / 3.0 };
        Parameters { alpha, d, c: 1.0 / 3.0 / d.sqrt() }
    }

    fn draw(&self, mut philox: Philox) -> f64 {
        let (mut uniforms, mut normals) = (Pairs::uniform(), Pairs::normal());
        if self.alpha == 1.0 {
            return -(-uniforms.next(&mut philox)).ln_1p();
        }
        loop {
            let x = normals.next(&mut philox);
            let v = 1.0 + self.c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            let u = uniforms.next(&mut philox);
            // The first test accepts most samples without logarithms.
            if u < 1.0 - 0.0331 * (x * x) * (x * x)
                || u.ln() < 0.5 * x * x + self.d * (1.0 - v + v.ln())
            {
                let sample = self.d * v;
                if self.alpha < 1.0 {
                    return sample * uniforms.next(&mut philox).powf(1.0 / self.alpha);
                }
                return sample;
            }
        }
    }
}

/// (shape, parameter) of operations whose output's shape is both together.
pub(crate) fn appended_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.shape_from_input(0)?.concat(cx.input(1));
    if let Some(whole) = shape.to_shape() {
        downpour_tensor::checked_elements(&whole)
            .map_err(|_| Status::invalid_argument(format!("the shape {whole} would overflow")))?;
    }
    cx.set_output(0, shape);
    Ok(())
}

/// The derivative of each sample by its alpha, summed over the samples of one alpha.
fn gradient(cx: &mut GradientContext<'_, '_>, alpha: usize) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (alpha_value, sample) = (cx.input(alpha), cx.output(0));
    let partial = cx.op("RandomGammaGrad", &[alpha_value, sample])?;
    let product = cx.op("Mul", &[grad, partial])?;
    let mut gradients = vec![Gradient::None; alpha];
    gradients.push(Gradient::Dense(cx.unbroadcast(product, alpha_value, sample)?));
    Ok(gradients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(shape: &[i64], alpha: Tensor) -> Result<Tensor> {
        let shape = Tensor::vector(shape).unwrap();
        OpTest::new(register, "RandomGamma").attr("seed", 3i64).input(shape).input(alpha).run_one()
    }

    #[test]
    fn means_are_the_parameters() {
        let alpha = Tensor::vector(&[0.5f64, 1.0, 8.0]).unwrap();
        let out = run(&[4000], alpha).unwrap();
        let values = out.as_slice::<f64>().unwrap();
        for (i, expected) in [0.5, 1.0, 8.0].iter().enumerate() {
            let mean = values.iter().skip(i).step_by(3).sum::<f64>() / 4000.0;
            assert!((mean - expected).abs() < 0.2, "{mean}");
        }
    }

    #[test]
    fn odd_parameters_end_and_huge_shapes_are_refused() {
        let odd = Tensor::vector(&[f32::NAN, -3.0, 0.0, f32::INFINITY]).unwrap();
        assert_eq!(run(&[3], odd).unwrap().len(), 12);
        let error = run(&[1 << 62], Tensor::zeros(downpour_tensor::DataType::Float, [4]).unwrap());
        assert!(error.unwrap_err().message().contains("overflow"));
        assert_eq!(run(&[0], Tensor::scalar(1f32)).unwrap().len(), 0);
    }
}
