//! MaxPool, MaxPoolV2 and MaxPool3D.

use downpour_graph::{Gradient, GradientContext, OpSpec};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Shape, Tensor, dispatch_over};

use super::window::{Pool, PoolAttributes, pool_shape, pool_shape_v2};
use crate::convolution::{narrowed, widened};
use crate::gradients::picked;
use crate::product::vectorized;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "MaxPool(input: T) -> (output: T)
                T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = float
                ksize: list(int) >= 4
                strides: list(int) >= 4
                padding: {'SAME', 'VALID', 'EXPLICIT'}
                explicit_paddings: list(int) = []
                data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
        )?
        .shape(|cx| pool_shape(cx, 2))
        .gradient(|cx| gradient(cx, "MaxPoolGrad")),
        |build| Ok(KernelBox::new(MaxPool::of(build, 2)?)),
    )?;
    registry.add(
        OpSpec::new(
            "MaxPoolV2(input: T, ksize: int32, strides: int32) -> (output: T)
                T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = float
                padding: {'SAME', 'VALID'}
                data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
        )?
        .shape(|cx| pool_shape_v2(cx, 1))
        .gradient(gradient_v2),
        |build| Ok(KernelBox::new(MaxPool::of(build, 2)?)),
    )?;
    registry.add(
        OpSpec::new(
            "MaxPool3D(input: T) -> (output: T)
                ksize: list(int) >= 5
                strides: list(int) >= 5
                padding: {'SAME', 'VALID'}
                data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
                T: {half, bfloat16, float}",
        )?
        .shape(|cx| pool_shape(cx, 3))
        .gradient(|cx| gradient(cx, "MaxPool3DGrad")),
        |build| Ok(KernelBox::new(MaxPool::of(build, 3)?)),
    )
}

struct MaxPool {
    operation: String,
    attributes: PoolAttributes,
    sizes_are_inputs: bool,
}

impl MaxPool {
    fn of(build: &KernelBuild<'_>, spatial: usize) -> Result<MaxPool> {
        let sizes_are_inputs = build.get("ksize").is_none();
        let attributes = match sizes_are_inputs {
            true => PoolAttributes::without_sizes(build, spatial)?,
            false => PoolAttributes::of(build, spatial)?,
        };
        Ok(MaxPool { operation: build.op_name().to_string(), attributes, sizes_are_inputs })
    }
}

impl Kernel for MaxPool {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let given;
        let attributes = if self.sizes_are_inputs {
            let ksize = cx.vector_input(1)?.to_i64_vec()?;
            given = self.attributes.with_sizes(ksize, cx.vector_input(2)?.to_i64_vec()?)?;
            &given
        } else {
            &self.attributes
        };
        let pool = attributes.pool(&self.operation, input.dims())?;
        if attributes.depth_window() > 1 {
            let channels = input.dims().last().copied().unwrap_or(0);
            attributes.check_depth_window(channels)?;
            let output = over_channels(input, attributes.depth_window())?;
            cx.set_output(0, output);
            return Ok(());
        }
        let output = max_pool(&self.operation, &pool, input, cx.parallel())?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// The largest of each window. Maxima are exact, so half types pass through float32.
pub(super) fn max_pool(
    operation: &str,
    pool: &Pool,
    input: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    match input.dtype() {
        dtype @ (DataType::Half | DataType::BFloat16) => {
            narrowed(&typed::<f32>(pool, &widened(input)?, parallel)?, dtype)
        }
        DataType::QInt8 => {
            let plain = input.reinterpreted(DataType::Int8)?;
            typed::<i8>(pool, &plain, parallel)?.reinterpreted(DataType::QInt8)
        }
        dtype => dispatch_over!(dtype, operation, T => typed::<T>(pool, input, parallel),
            Float: f32, Double: f64, Int32: i32, Int64: i64, UInt8: u8, Int16: i16, Int8: i8,
            UInt16: u16, UInt32: u32, UInt64: u64),
    }
}

fn typed<T: RealNumber>(pool: &Pool, input: &Tensor, parallel: &Parallel) -> Result<Tensor> {
    let x = input.as_slice::<T>()?;
    let (image, pixels, inner) = (pool.input_image(), pool.output_pixels(), pool.inner);
    Tensor::build(&pool.output, |out: &mut [T]| {
        if out.is_empty() {
            return;
        }
        parallel.for_chunks(out, inner, pool.grain(inner), |first, run| {
            vectorized(|| {
                for (i, to) in run.chunks_exact_mut(inner).enumerate() {
                    let index = first + i;
                    let x = &x[index / pixels * image..];
                    to.fill(T::min_value());
                    pool.for_window(index % pixels, |at| {
                        for (t, &v) in to.iter_mut().zip(&x[at..at + inner]) {
                            *t = if v > *t { v } else { *t };
                        }
                    });
                }
            });
        });
    })
}

/// The largest of each run of `window` channels.
fn over_channels(input: &Tensor, window: usize) -> Result<Tensor> {
    let mut shape = input.shape().clone();
    if let Some(channels) = shape.dims_mut().last_mut() {
        *channels /= window;
    }
    fn run<T: RealNumber>(input: &Tensor, shape: Shape, window: usize) -> Result<Tensor> {
        let x = input.as_slice::<T>()?;
        Tensor::build(shape, |out: &mut [T]| {
            for (to, group) in out.iter_mut().zip(x.chunks_exact(window)) {
                *to = group.iter().fold(T::min_value(), |m, &v| if v > m { v } else { m });
            }
        })
    }
    dispatch_over!(input.dtype(), "MaxPool", T => run::<T>(input, shape, window),
        Float: f32, Double: f64, Half: downpour_tensor::f16, BFloat16: downpour_tensor::bf16,
        Int32: i32, Int64: i64, UInt8: u8, Int16: i16, Int8: i8, UInt16: u16)
}

fn gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let names = ["ksize", "strides", "padding", "explicit_paddings", "data_format"];
    let mut attrs = picked(cx.node(), &names);
    if op == "MaxPool3DGrad" {
        attrs.0.remove("explicit_paddings");
    }
    let (x, y, grad) = (cx.input(0), cx.output(0), cx.grad(0)?);
    Ok(vec![Gradient::Dense(cx.op_with(op, &[x, y, grad], attrs)?)])
}

fn gradient_v2(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["padding", "data_format"]);
    let (x, y, grad) = (cx.input(0), cx.output(0), cx.grad(0)?);
    let (ksize, strides) = (cx.input(1), cx.input(2));
    let dx = cx.op_with("MaxPoolGradV2", &[x, y, grad, ksize, strides], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, f16};

    fn counted(dims: &[usize]) -> Tensor {
        let count: usize = dims.iter().product();
        Tensor::from_vec(dims, (1..=count).map(|v| v as f32).collect()).unwrap()
    }

    fn pool(input: Tensor, ksize: [i64; 4], strides: [i64; 4], padding: &'static str) -> OpTest {
        OpTest::new(register, "MaxPool")
            .input(input)
            .attr("ksize", ksize.to_vec())
            .attr("strides", strides.to_vec())
            .attr("padding", padding)
    }

    #[test]
    fn valid_and_same() {
        let y = pool(counted(&[1, 3, 3, 3]), [1, 2, 2, 1], [1, 2, 2, 1], "VALID");
        assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[13.0, 14.0, 15.0]);
        let y = pool(counted(&[1, 2, 3, 3]), [1, 2, 2, 1], [1, 2, 2, 1], "SAME").run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[13.0, 14.0, 15.0, 16.0, 17.0, 18.0]);
    }

    #[test]
    fn channels_first_explicit_and_half() {
        let y = pool(counted(&[1, 2, 2, 2]), [1, 1, 2, 2], [1, 1, 2, 2], "VALID")
            .attr("data_format", "NCHW")
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[4.0, 8.0]);
        let y = pool(counted(&[1, 2, 2, 1]), [1, 2, 2, 1], [1, 2, 2, 1], "EXPLICIT")
            .attr("explicit_paddings", vec![0i64, 0, 1, 0, 0, 1, 0, 0])
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[2.0]);
        let x = Tensor::from_vec([1, 1, 2, 1], vec![f16::ONE, f16::ZERO]).unwrap();
        let y = pool(x, [1, 1, 2, 1], [1, 1, 2, 1], "VALID").run_one().unwrap();
        assert_eq!(y.as_slice::<f16>().unwrap(), &[f16::ONE]);
    }

    #[test]
    fn over_channels_and_refusals() {
        let y = pool(counted(&[1, 1, 1, 4]), [1, 1, 1, 2], [1, 1, 1, 2], "SAME").run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[2.0, 4.0]);
        let code = |ksize, strides| {
            pool(counted(&[1, 2, 2, 4]), ksize, strides, "SAME").run().unwrap_err().code()
        };
        assert_eq!(code([1, 2, 2, 2], [1, 1, 1, 2]), Code::Unimplemented);
        assert_eq!(code([1, 1, 1, 3], [1, 1, 1, 3]), Code::Unimplemented);
        assert_eq!(code([1, 0, 1, 1], [1, 1, 1, 1]), Code::InvalidArgument);
        assert_eq!(code([1, 1, 1, 1], [1, -1, 1, 1]), Code::InvalidArgument);
    }

    #[test]
    fn sizes_as_inputs() {
        let y = OpTest::new(register, "MaxPoolV2")
            .input(counted(&[1, 2, 2, 1]))
            .input(Tensor::vector(&[1i32, 2, 2, 1]).unwrap())
            .input(Tensor::vector(&[1i32, 2, 2, 1]).unwrap())
            .attr("padding", "VALID")
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[4.0]);
    }
}
