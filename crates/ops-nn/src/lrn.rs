//! LRN divides each value by a power of the squares around it along the last axis; LRNGrad is its gradient.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor, unsupported_dtype};

use crate::float::{from_f32, to_f32};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "LRN(input: T) -> (output: T)
                depth_radius: int = 5
                bias: float = 1.0
                alpha: float = 1.0
                beta: float = 0.5
                T: {half, bfloat16, float} = float",
        )?
        .shape(shape)
        .gradient(gradient)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Lrn(Parameters::new(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "LRNGrad(input_grads: T, input_image: T, output_image: T) -> (output: T)
                depth_radius: int = 5
                bias: float = 1.0
                alpha: float = 1.0
                beta: float = 0.5
                T: {half, bfloat16, float} = float",
        )?
        .shape(grad_shape)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(LrnGrad(Parameters::new(build)?))),
    )
}

struct Parameters {
    radius: usize,
    bias: f32,
    alpha: f32,
    beta: f32,
}

impl Parameters {
    fn new(build: &KernelBuild<'_>) -> Result<Parameters> {
        if build.input_dtype(0) == DataType::BFloat16 {
            return Err(unsupported_dtype(build.op_name(), DataType::BFloat16));
        }
        let radius = build.int("depth_radius")?;
        let radius =
            i32::try_from(radius).ok().and_then(|r| usize::try_from(r).ok()).ok_or_else(|| {
                Status::invalid_argument(format!("depth_radius = {radius} larger than int max"))
            })?;
        Ok(Parameters {
            radius,
            bias: build.float("bias")?,
            alpha: build.float("alpha")?,
            beta: build.float("beta")?,
        })
    }

    /// The channels around channel `i` that its norm takes in.
    fn window(&self, i: usize, depth: usize) -> std::ops::Range<usize> {
        i.saturating_sub(self.radius)..(i + self.radius + 1).min(depth)
    }

    /// bias + alpha * the sum of squares around each channel of a row.
    fn norms(&self, row: &[f32], norms: &mut [f32]) {
        for (i, norm) in norms.iter_mut().enumerate() {
            let sum: f32 = row[self.window(i, row.len())].iter().map(|v| v * v).sum();
            *norm = self.alpha * sum + self.bias;
        }
    }

    fn grain(&self, depth: usize) -> usize {
        (4096 / (depth.max(1) * self.window(self.radius, depth).len().max(1))).max(1)
    }
}

fn expect_images(tensor: &Tensor, name: &str) -> Result<usize> {
    match tensor.dims() {
        [_, _, _, depth] => Ok(*depth),
        _ => Err(Status::invalid_argument(format!(
            "{name} must be 4-dimensional, got shape {}",
            tensor.shape()
        ))),
    }
}

struct Lrn(Parameters);

impl Kernel for Lrn {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let depth = expect_images(cx.input(0), "in")?;
        let dtype = cx.input(0).dtype();
        let input = to_f32(cx.input(0))?;
        let x = input.as_slice::<f32>()?;
        let output = Tensor::build(input.shape(), |out: &mut [f32]| {
            cx.parallel().for_chunks(out, depth, self.0.grain(depth), |first, run| {
                let mut norms = vec![0f32; depth];
                for (i, out) in run.chunks_exact_mut(depth.max(1)).enumerate() {
                    let row = &x[(first + i) * depth..(first + i + 1) * depth];
                    self.0.norms(row, &mut norms);
                    for ((o, v), norm) in out.iter_mut().zip(row).zip(&norms) {
                        *o = match self.0.beta {
                            1.0 => v * norm.recip(),
                            0.5 => v * norm.sqrt().recip(),
                            beta => v * (norm.ln() * -beta).exp(),
                        };
                    }
                }
            });
        })?;
        cx.set_output(0, from_f32(output, dtype)?);
        Ok(())
    }
}

struct LrnGrad(Parameters);

impl Kernel for LrnGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let depth = expect_images(cx.input(0), "inputs")?;
        if cx.input(0).shape() != cx.input(1).shape() || cx.input(0).shape() != cx.input(2).shape()
        {
            return Err(Status::invalid_argument(
                "input_grads, input_image, and out_image should have the same shape",
            ));
        }
        let dtype = cx.input(0).dtype();
        let (grads, image, activations) =
            (to_f32(cx.input(0))?, to_f32(cx.input(1))?, to_f32(cx.input(2))?);
        let (grad, x, y) =
            (grads.as_slice::<f32>()?, image.as_slice::<f32>()?, activations.as_slice::<f32>()?);
        let slope = -2.0 * self.0.alpha * self.0.beta;
        let output = Tensor::build(grads.shape(), |out: &mut [f32]| {
            cx.parallel().for_chunks(out, depth, self.0.grain(depth), |first, run| {
                let mut norms = vec![0f32; depth];
                run.fill(0.0);
                for (i, out) in run.chunks_exact_mut(depth.max(1)).enumerate() {
                    let at = (first + i) * depth..(first + i + 1) * depth;
                    let (grad, x, y) = (&grad[at.clone()], &x[at.clone()], &y[at]);
                    self.0.norms(x, &mut norms);
                    for j in 0..depth {
                        if grad[j] == 0.0 {
                            continue;
                        }
                        let common = slope * y[j] / norms[j] * grad[j];
                        let window = self.0.window(j, depth);
                        for (o, x) in out[window.clone()].iter_mut().zip(&x[window]) {
                            *o += x * common;
                        }
                        out[j] += norms[j].powf(-self.0.beta) * grad[j];
                    }
                }
            });
        })?;
        cx.set_output(0, from_f32(output, dtype)?);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.with_rank(0, 4)?;
    cx.set_output(0, shape);
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = PartialShape::of_rank(4);
    for i in 0..3 {
        shape = cx.merge(&shape, cx.input(i))?;
    }
    cx.set_output(0, shape);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let mut attrs = Attrs::new().with("depth_radius", cx.node().int("depth_radius")?);
    for name in ["bias", "alpha", "beta"] {
        attrs.set(name, cx.node().float(name)?);
    }
    let grad = cx.grad(0)?;
    let inputs = [grad, cx.input(0), cx.output(0)];
    Ok(vec![Gradient::Dense(cx.op_with("LRNGrad", &inputs, attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn row(values: &[f32]) -> Tensor {
        Tensor::from_slice([1, 1, 1, values.len()], values).unwrap()
    }

    #[test]
    fn neighbours_within_the_radius_count() {
        let run = |beta: f32| {
            OpTest::new(register, "LRN")
                .attr("depth_radius", 1i64)
                .attr("beta", beta)
                .input(row(&[1.0, 2.0, 4.0]))
                .run_one()
                .unwrap()
                .as_slice::<f32>()
                .unwrap()
                .to_vec()
        };
        assert_eq!(run(1.0), [1.0 / 6.0, 2.0 * 22f32.recip(), 4.0 * 21f32.recip()]);
        assert!((run(0.75)[0] - 6f32.powf(-0.75)).abs() < 1e-6);
    }

    #[test]
    fn the_gradient_agrees_with_differences() {
        let forward = |x: &[f32]| -> f32 {
            let y = OpTest::new(register, "LRN").attr("depth_radius", 1i64).input(row(x)).run_one();
            y.unwrap().as_slice::<f32>().unwrap().iter().sum()
        };
        let x = [1.0f32, 2.0, 3.0];
        let y = OpTest::new(register, "LRN")
            .attr("depth_radius", 1i64)
            .input(row(&x))
            .run_one()
            .unwrap();
        let grad = OpTest::new(register, "LRNGrad")
            .attr("depth_radius", 1i64)
            .input(row(&[1.0; 3]))
            .input(row(&x))
            .input(y)
            .run_one()
            .unwrap();
        for i in 0..3 {
            let (mut up, mut down) = (x, x);
            up[i] += 1e-2;
            down[i] -= 1e-2;
            let expected = (forward(&up) - forward(&down)) / 2e-2;
            assert!((grad.as_slice::<f32>().unwrap()[i] - expected).abs() < 1e-3);
        }
    }

    #[test]
    fn bad_shapes_are_refused() {
        assert!(OpTest::new(register, "LRN").input(Tensor::scalar(1f32)).run_values().is_err());
        let empty = Tensor::zeros(DataType::Half, [1, 2, 3, 0]).unwrap();
        assert_eq!(OpTest::new(register, "LRN").input(empty).run_one().unwrap().len(), 0);
    }
}
