//! Gradients of MaxPool3D.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{Result, Tensor};

use super::max_gradient::second_gradient;
use super::window::{Pool, PoolAttributes, expect_shape, pool_shape};
use crate::convolution::{narrowed, widened};
use crate::gradients::picked;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T) -> (output: T)
                ksize: list(int) >= 5
                strides: list(int) >= 5
                padding: {'SAME', 'VALID'}
                data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
                T: {half, bfloat16, float} = float
                TInput: {half, bfloat16, float} = float",
        )?
        .shape(shapes::unchanged)
        .gradient(|cx| gradient(cx, "MaxPool3DGradGrad")),
        make,
    )?;
    registry.add(
        OpSpec::new(
            "MaxPool3DGradGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)
                ksize: list(int) >= 5
                strides: list(int) >= 5
                padding: {'SAME', 'VALID'}
                data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
        )?
        .shape(second_shape)
        .gradient(|cx| gradient(cx, "MaxPool3DGrad")),
        make,
    )
}

fn second_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.merge(cx.input(0), cx.input(2))?;
    pool_shape(cx, 3)
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let operation = build.op_name().to_string();
    let second = operation == "MaxPool3DGradGrad";
    Ok(KernelBox::new(Max3D { operation, attributes: PoolAttributes::of(build, 3)?, second }))
}

struct Max3D {
    operation: String,
    attributes: PoolAttributes,
    second: bool,
}

impl Kernel for Max3D {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = &self.operation;
        let (input, output, grad) = (cx.input(0), cx.input(1), cx.input(2));
        let pool = self.attributes.spatial_pool(operation, input.dims())?;
        pool.expect_output(operation, "orig_output", output.shape())?;
        let result = if self.second {
            expect_shape(operation, "grad", input.shape(), grad.shape())?;
            second_gradient(operation, &pool, input, output, grad, cx.parallel())?
        } else {
            pool.expect_output(operation, "grad", grad.shape())?;
            let dtype = grad.dtype();
            let (x, y, dy) = (widened(input)?, widened(output)?, widened(grad)?);
            narrowed(&to_all_largest(&pool, &x, &y, &dy, cx.parallel())?, dtype)?
        };
        cx.set_output(0, result);
        Ok(())
    }
}

/// Each output's gradient goes to every input under it that is (almost) the maximum: unlike in two
/// dimensions, TensorFlow does not choose among equals here.
fn to_all_largest(
    pool: &Pool,
    x: &Tensor,
    y: &Tensor,
    dy: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    let shape = x.shape();
    let (x, y, dy) = (x.as_slice::<f32>()?, y.as_slice::<f32>()?, dy.as_slice::<f32>()?);
    let (image, inner, out_image) = (pool.input_image(), pool.inner, pool.output_image());
    Tensor::build(shape, |out: &mut [f32]| {
        if out.is_empty() {
            return;
        }
        parallel.for_chunks(out, image, pool.grain(out_image), |first, run| {
            run.fill(0.0);
            for (i, dx) in run.chunks_exact_mut(image).enumerate() {
                let n = first + i;
                let x = &x[n * image..(n + 1) * image];
                for pixel in 0..pool.output_pixels() {
                    let at_out = n * out_image + pixel * inner;
                    let (y, dy) = (&y[at_out..at_out + inner], &dy[at_out..at_out + inner]);
                    pool.for_window(pixel, |at| {
                        let (x, dx) = (&x[at..at + inner], &mut dx[at..at + inner]);
                        for c in 0..inner {
                            dx[c] += if (x[c] - y[c]).abs() < 1e-5 { dy[c] } else { 0.0 };
                        }
                    });
                }
            }
        });
    })
}

fn gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["ksize", "strides", "padding", "data_format"]);
    let (x, y, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let (zero_x, zero_y) = (cx.op("ZerosLike", &[x])?, cx.op("ZerosLike", &[y])?);
    let third = cx.op_with(op, &[x, y, grad], attrs)?;
    Ok(vec![Gradient::Dense(zero_x), Gradient::Dense(zero_y), Gradient::Dense(third)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn all_largest_share_the_gradient() {
        let cube = |values: &[f32]| Tensor::from_slice([1, 1, 1, values.len(), 1], values).unwrap();
        let op = |name: &str| {
            OpTest::new(register, name)
                .attr("ksize", vec![1i64, 1, 1, 2, 1])
                .attr("strides", vec![1i64, 1, 1, 2, 1])
                .attr("padding", "VALID")
        };
        let (x, y) = (cube(&[3.0, 3.0, 1.0, 2.0]), cube(&[3.0, 2.0]));
        let dx = op("MaxPool3DGrad").input(x.clone()).input(y.clone()).input(cube(&[5.0, 7.0]));
        assert_eq!(dx.run_one().unwrap().as_slice::<f32>().unwrap(), &[5.0, 5.0, 0.0, 7.0]);
        let d = op("MaxPool3DGradGrad").input(x).input(y).input(cube(&[1.0, 2.0, 3.0, 4.0]));
        assert_eq!(d.run_one().unwrap().as_slice::<f32>().unwrap(), &[1.0, 4.0]);
    }
}
