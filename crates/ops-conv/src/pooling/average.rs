//! AvgPool, AvgPool3D and their gradients. The padding counts for nothing.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Shape, Status, Tensor, unsupported_dtype};

use super::window::{Pool, PoolAttributes, pool_shape};
use crate::convolution::{narrowed, widened};
use crate::gradients::picked;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "AvgPool(value: T) -> (output: T)
                ksize: list(int) >= 4
                strides: list(int) >= 4
                padding: {'SAME', 'VALID'}
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                T: {half, bfloat16, float, double}",
        )?
        .shape(|cx| pool_shape(cx, 2))
        .gradient(|cx| forward_gradient(cx, "AvgPoolGrad")),
        |build| Ok(KernelBox::new(Average(Window::of(build, 2)?))),
    )?;
    registry.add(
        OpSpec::new(
            "AvgPoolGrad(orig_input_shape: int32, grad: T) -> (output: T)
                ksize: list(int) >= 4
                strides: list(int) >= 4
                padding: {'SAME', 'VALID'}
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                T: {half, bfloat16, float, double}",
        )?
        .shape(|cx| gradient_shape(cx, 4))
        .gradient(|cx| backward_gradient(cx, "AvgPool")),
        |build| Ok(KernelBox::new(AverageGradient(Window::of(build, 2)?))),
    )?;
    registry.add(
        OpSpec::new(
            "AvgPool3D(input: T) -> (output: T)
                ksize: list(int) >= 5
                strides: list(int) >= 5
                padding: {'SAME', 'VALID'}
                data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
                T: {half, bfloat16, float, double}",
        )?
        .shape(|cx| pool_shape(cx, 3))
        .gradient(|cx| forward_gradient(cx, "AvgPool3DGrad")),
        |build| Ok(KernelBox::new(Average(Window::of(build, 3)?))),
    )?;
    registry.add(
        OpSpec::new(
            "AvgPool3DGrad(orig_input_shape: int32, grad: T) -> (output: T)
                ksize: list(int) >= 5
                strides: list(int) >= 5
                padding: {'SAME', 'VALID'}
                data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
                T: {half, bfloat16, float, double}",
        )?
        .shape(|cx| gradient_shape(cx, 5))
        .gradient(|cx| backward_gradient(cx, "AvgPool3D")),
        |build| Ok(KernelBox::new(AverageGradient(Window::of(build, 3)?))),
    )
}

fn gradient_shape(cx: &mut downpour_graph::ShapeContext<'_>, rank: usize) -> Result<()> {
    let shape = cx.shape_from_input(0)?;
    let known = PartialShape::of_rank(rank);
    cx.set_output(0, shape.merge(&known).unwrap_or(known));
    Ok(())
}

struct Window {
    operation: String,
    attributes: PoolAttributes,
}

impl Window {
    fn of(build: &KernelBuild<'_>, spatial: usize) -> Result<Window> {
        let attributes = PoolAttributes::of(build, spatial)?;
        Ok(Window { operation: build.op_name().to_string(), attributes })
    }
}

/// Runs `f` on float32 or double tensors; half types go through float32.
fn in_float(
    operation: &str,
    tensor: &Tensor,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    match tensor.dtype() {
        dtype @ (DataType::Half | DataType::BFloat16) => narrowed(&f(&widened(tensor)?)?, dtype),
        DataType::Float | DataType::Double => f(tensor),
        other => Err(unsupported_dtype(operation, other)),
    }
}

struct Average(Window);

impl Kernel for Average {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let pool = self.0.attributes.spatial_pool(&self.0.operation, input.dims())?;
        let output = in_float(&self.0.operation, input, |x| match x.dtype() {
            DataType::Double => average::<f64>(&pool, x, cx.parallel()),
            _ => average::<f32>(&pool, x, cx.parallel()),
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn average<T: RealNumber>(pool: &Pool, input: &Tensor, parallel: &Parallel) -> Result<Tensor> {
    let x = input.as_slice::<T>()?;
    let (image, pixels, inner) = (pool.input_image(), pool.output_pixels(), pool.inner);
    Tensor::build(&pool.output, |out: &mut [T]| {
        if out.is_empty() {
            return;
        }
        parallel.for_chunks(out, inner, pool.grain(inner), |first, run| {
            for (i, to) in run.chunks_exact_mut(inner).enumerate() {
                let index = first + i;
                let x = &x[index / pixels * image..];
                let mut count = 0usize;
                to.fill(T::default());
                pool.for_window(index % pixels, |at| {
                    count += 1;
                    for (t, &v) in to.iter_mut().zip(&x[at..at + inner]) {
                        *t += v;
                    }
                });
                let count = T::from_f64_lossy(count as f64);
                to.iter_mut().for_each(|t| *t = *t / count);
            }
        });
    })
}

struct AverageGradient(Window);

impl Kernel for AverageGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = &self.0.operation;
        let (sizes, grad) = (cx.input(0), cx.input(1));
        if sizes.rank() != 1 {
            return Err(cx.bad_input(0, "must be 1-dimensional"));
        }
        let input = Shape::from_i64(&sizes.to_i64_vec()?)?;
        if grad.rank() != input.rank() {
            return Err(Status::invalid_argument(format!(
                "{operation}: out_backprop must be {}-dimensional, got {}",
                input.rank(),
                grad.shape()
            )));
        }
        let pool = self.0.attributes.spatial_pool(operation, &input)?;
        if input.elements() == 0 {
            let empty = Tensor::new(grad.dtype(), input)?;
            cx.set_output(0, empty);
            return Ok(());
        }
        pool.expect_output(operation, "grad", grad.shape())?;
        let output = in_float(operation, grad, |dy| match dy.dtype() {
            DataType::Double => average_gradient::<f64>(&pool, &input, dy, cx.parallel()),
            _ => average_gradient::<f32>(&pool, &input, dy, cx.parallel()),
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn average_gradient<T: RealNumber>(
    pool: &Pool,
    input: &Shape,
    grad: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    let dy = grad.as_slice::<T>()?;
    let (image, inner, out_image) = (pool.input_image(), pool.inner, pool.output_image());
    Tensor::build(input, |out: &mut [T]| {
        parallel.for_chunks(out, image, pool.grain(out_image), |first, run| {
            run.fill(T::default());
            let mut share = vec![T::default(); inner];
            for (i, dx) in run.chunks_exact_mut(image).enumerate() {
                let n = first + i;
                let dy = &dy[n * out_image..(n + 1) * out_image];
                for (pixel, dy) in dy.chunks_exact(inner).enumerate() {
                    let count: usize = pool.window(pixel).iter().map(|r| r.len()).product();
                    let factor = T::from_f64_lossy(1.0 / count as f64);
                    share.iter_mut().zip(dy).for_each(|(s, &g)| *s = g * factor);
                    pool.for_window(pixel, |at| {
                        for (d, &s) in dx[at..at + inner].iter_mut().zip(&share) {
                            *d += s;
                        }
                    });
                }
            }
        });
    })
}

const SHARED: &[&str] = &["ksize", "strides", "padding", "data_format"];

fn forward_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), SHARED);
    let (x, grad) = (cx.input(0), cx.grad(0)?);
    let shape = cx.shape(x)?;
    Ok(vec![Gradient::Dense(cx.op_with(op, &[shape, grad], attrs)?)])
}

fn backward_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), SHARED);
    let grad = cx.grad(0)?;
    Ok(vec![Gradient::None, Gradient::Dense(cx.op_with(op, &[grad], attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn op(name: &str, padding: &'static str) -> OpTest {
        OpTest::new(register, name)
            .attr("ksize", vec![1i64, 2, 2, 1])
            .attr("strides", vec![1i64, 2, 2, 1])
            .attr("padding", padding)
    }

    #[test]
    fn the_padding_does_not_count() {
        let x = Tensor::from_vec([1, 2, 3, 1], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let y = op("AvgPool", "SAME").input(x).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[3.0, 4.5]);
        let dx = op("AvgPoolGrad", "SAME")
            .input(Tensor::vector(&[1i32, 2, 3, 1]).unwrap())
            .input(Tensor::from_vec([1, 1, 2, 1], vec![4f32, 6.0]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap(), &[1.0, 1.0, 3.0, 1.0, 1.0, 3.0]);
    }

    #[test]
    fn bad_shapes_are_refused() {
        let grad = Tensor::from_vec([3, 1, 3, 1], vec![1f32; 9]).unwrap();
        for sizes in [[1i32, 1, 3, 1], [-536870912; 4], [i32::MAX; 4]] {
            let sizes = Tensor::vector(&sizes).unwrap();
            assert!(op("AvgPoolGrad", "VALID").input(sizes).input(grad.clone()).run().is_err());
        }
    }
}
