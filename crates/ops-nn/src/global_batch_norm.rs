//! BatchNormWithGlobalNormalization and its gradient: the first form of batch normalisation, with
//! given mean and variance.

use downpour_graph::{
    Attrs, Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext,
};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor, dispatch_over, f16};
use num_traits::{Float as _, NumCast, Zero};

use crate::columns::column_sums;
use crate::float::Float;
use crate::fused_batch_norm::expect_vector;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";
    registry.add(
        OpSpec::new(&format!(
            "BatchNormWithGlobalNormalization(t: T, m: T, v: T, beta: T, gamma: T) -> (result: T)
                T: {NUMBERS}
                variance_epsilon: float
                scale_after_normalization: bool"
        ))?
        .shape(shape)
        .gradient(gradient)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Forward(Parameters::new(build)?))),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "BatchNormWithGlobalNormalizationGrad(t: T, m: T, v: T, gamma: T, backprop: T) -> (dx: T, dm: T, dv: T, db: T, dg: T)
                T: {NUMBERS}
                variance_epsilon: float
                scale_after_normalization: bool"
        ))?
        .shape(grad_shape)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Backward(Parameters::new(build)?))),
    )
}

struct Parameters {
    epsilon: f32,
    scale: bool,
}

impl Parameters {
    fn new(build: &KernelBuild<'_>) -> Result<Parameters> {
        Ok(Parameters {
            epsilon: build.float("variance_epsilon")?,
            scale: build.bool("scale_after_normalization")?,
        })
    }

    /// 1 / sqrt(variance + epsilon) per channel.
    fn inverse_deviation<T: Float>(&self, variance: &[T]) -> Vec<T::Wide> {
        let epsilon = <T::Wide as NumCast>::from(self.epsilon).unwrap_or_else(T::Wide::zero);
        variance.iter().map(|v| (v.wide() + epsilon).sqrt().recip()).collect()
    }
}

/// Checks that the first input has four dimensions and the others one number per channel.
fn check(cx: &OpContext<'_>, vectors: &[(usize, &str)]) -> Result<usize> {
    let input = cx.input(0);
    let &[.., depth] = input.dims() else {
        return Err(Status::invalid_argument("input must be 4-dimensional[]"));
    };
    if input.rank() != 4 {
        return Err(Status::invalid_argument(format!(
            "input must be 4-dimensional{}",
            input.shape()
        )));
    }
    for &(i, name) in vectors {
        expect_vector(cx.input(i), name)?;
        if cx.input(i).len() != depth {
            return Err(Status::invalid_argument(format!(
                "{name} must have one element per channel, got {} for {depth} channels",
                cx.input(i).len()
            )));
        }
    }
    Ok(depth)
}

struct Forward(Parameters);

impl Kernel for Forward {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        check(cx, &[(1, "mean"), (2, "var"), (3, "beta"), (4, "gamma")])?;
        let dtype = cx.input(0).dtype();
        let output = dispatch_over!(dtype, cx.node().op_name(), T => forward::<T>(&self.0, cx),
            Float: f32, Double: f64, Half: f16)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn forward<T: Float>(parameters: &Parameters, cx: &OpContext<'_>) -> Result<Tensor> {
    let x = cx.input(0).as_slice::<T>()?;
    let mean = cx.input(1).as_slice::<T>()?;
    let beta = cx.input(3).as_slice::<T>()?;
    let gamma = cx.input(4).as_slice::<T>()?;
    let mut factor = parameters.inverse_deviation(cx.input(2).as_slice::<T>()?);
    if parameters.scale {
        factor.iter_mut().zip(gamma).for_each(|(f, g)| *f *= g.wide());
    }
    let depth = mean.len();
    Tensor::build(cx.input(0).shape(), |out: &mut [T]| {
        cx.parallel().for_chunks(out, depth, (8192 / depth.max(1)).max(1), |first, run| {
            for (i, out) in run.chunks_exact_mut(depth.max(1)).enumerate() {
                let row = &x[(first + i) * depth..(first + i + 1) * depth];
                for c in 0..depth {
                    out[c] =
                        T::narrow((row[c].wide() - mean[c].wide()) * factor[c] + beta[c].wide());
                }
            }
        });
    })
}

struct Backward(Parameters);

impl Kernel for Backward {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        check(cx, &[(1, "mean"), (2, "var"), (3, "gamma")])?;
        if cx.input(4).shape() != cx.input(0).shape() {
            return Err(Status::invalid_argument(format!(
                "out_backprop must be 4-dimensional and shaped as the input, got {} and {}",
                cx.input(4).shape(),
                cx.input(0).shape()
            )));
        }
        let dtype = cx.input(0).dtype();
        let outputs = dispatch_over!(dtype, cx.node().op_name(), T => backward::<T>(&self.0, cx),
            Float: f32, Double: f64, Half: f16)?;
        for (i, output) in outputs.into_iter().enumerate() {
            cx.set_output(i, output);
        }
        Ok(())
    }
}

fn backward<T: Float>(parameters: &Parameters, cx: &OpContext<'_>) -> Result<[Tensor; 5]> {
    let x = cx.input(0).as_slice::<T>()?;
    let mean = cx.input(1).as_slice::<T>()?;
    let variance = cx.input(2).as_slice::<T>()?;
    let gamma = cx.input(3).as_slice::<T>()?;
    let grad = cx.input(4).as_slice::<T>()?;
    let depth = mean.len();
    let rows = x.len() / depth.max(1);
    // One pass gives both sums: of the gradient, and of the gradient times the centred input.
    let sums = column_sums(
        cx.parallel(),
        rows,
        depth,
        2 * depth,
        |range, sums: &mut [T::Wide]| {
            let (plain, centred) = sums.split_at_mut(depth);
            for r in range {
                let at = r * depth;
                for c in 0..depth {
                    let g = grad[at + c].wide();
                    plain[c] += g;
                    centred[c] += g * (x[at + c].wide() - mean[c].wide());
                }
            }
        },
        |a, b| a + b,
    );
    let (plain, centred) = sums.split_at(depth.min(sums.len()));
    let inverse = parameters.inverse_deviation(variance);
    let half = <T::Wide as NumCast>::from(-0.5).unwrap_or_else(T::Wide::zero);
    let scaled = |c: usize| match parameters.scale {
        true => inverse[c] * gamma[c].wide(),
        false => inverse[c],
    };
    let vector = |f: &dyn Fn(usize) -> T::Wide| {
        Tensor::build([depth], |out: &mut [T]| {
            for (c, o) in out.iter_mut().enumerate() {
                *o = T::narrow(f(c));
            }
        })
    };
    let factors: Vec<T::Wide> = (0..depth).map(scaled).collect();
    let dx = Tensor::build(cx.input(0).shape(), |out: &mut [T]| {
        for (out, grad) in out.chunks_exact_mut(depth.max(1)).zip(grad.chunks_exact(depth.max(1))) {
            for c in 0..depth {
                out[c] = T::narrow(grad[c].wide() * factors[c]);
            }
        }
    })?;
    Ok([
        dx,
        vector(&|c| -plain[c] * factors[c])?,
        vector(&|c| centred[c] * factors[c] * half * inverse[c] * inverse[c])?,
        vector(&|c| plain[c])?,
        match parameters.scale {
            true => vector(&|c| centred[c] * inverse[c])?,
            false => Tensor::zeros(T::DTYPE, [depth])?,
        },
    ])
}

fn channels(cx: &ShapeContext<'_>, vectors: std::ops::Range<usize>) -> Result<PartialShape> {
    let input = cx.with_rank(0, 4)?;
    let mut depth = input.dim(3);
    for i in vectors {
        depth = cx.merge_dim(depth, cx.with_rank(i, 1)?.dim(0))?;
    }
    Ok(PartialShape::of([input.dim(0), input.dim(1), input.dim(2), depth]))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = channels(cx, 1..5)?;
    cx.set_output(0, shape);
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.merge(&channels(cx, 1..4)?, cx.input(4))?;
    for i in 1..5 {
        cx.set_output(i, PartialShape::vector(shape.dim(3)));
    }
    cx.set_output(0, shape);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let node = cx.node();
    let attrs = Attrs::new()
        .with("variance_epsilon", node.float("variance_epsilon")?)
        .with("scale_after_normalization", node.bool("scale_after_normalization")?);
    let inputs = [cx.input(0), cx.input(1), cx.input(2), cx.input(4), grad];
    let node = cx.node_with("BatchNormWithGlobalNormalizationGrad", &inputs, attrs)?;
    Ok((0..5).map(|port| Gradient::Dense(Endpoint { node, port })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, scale: bool) -> OpTest {
        OpTest::new(register, op)
            .attr("variance_epsilon", 0.0f32)
            .attr("scale_after_normalization", scale)
            .input(Tensor::from_slice([1, 1, 2, 1], &[1f32, 5.0]).unwrap())
            .input(Tensor::vector(&[3f32]).unwrap())
            .input(Tensor::vector(&[4f32]).unwrap())
    }

    #[test]
    fn forward_and_backward() {
        let run = |scale| {
            test("BatchNormWithGlobalNormalization", scale)
                .input(Tensor::vector(&[1f32]).unwrap())
                .input(Tensor::vector(&[10f32]).unwrap())
                .run_one()
                .unwrap()
        };
        assert_eq!(run(true).as_slice::<f32>().unwrap(), [-9.0, 11.0]);
        assert_eq!(run(false).as_slice::<f32>().unwrap(), [0.0, 2.0]);
        let grads = test("BatchNormWithGlobalNormalizationGrad", true)
            .input(Tensor::vector(&[10f32]).unwrap())
            .input(Tensor::from_slice([1, 1, 2, 1], &[1f32, 2.0]).unwrap())
            .run()
            .unwrap();
        let values: Vec<f32> =
            grads.iter().flat_map(|t| t.as_slice::<f32>().unwrap().to_vec()).collect();
        assert_eq!(values, [5.0, 10.0, -15.0, -1.25, 3.0, 1.0]);
    }

    #[test]
    fn a_short_mean_is_refused() {
        let empty = Tensor::zeros(downpour_tensor::DataType::Float, [0]).unwrap();
        let test = OpTest::new(register, "BatchNormWithGlobalNormalization")
            .attr("variance_epsilon", 0.0f32)
            .attr("scale_after_normalization", true)
            .input(Tensor::zeros(downpour_tensor::DataType::Float, [1, 1, 1, 2]).unwrap());
        let test = (0..4).fold(test, |t, _| t.input(empty.clone()));
        assert!(test.run_values().is_err());
    }
}
