//! Gradients of MaxPool and MaxPoolV2, and the gradients of those.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{RealNumber, Result, Tensor, dispatch_real};

use super::window::{Pool, PoolAttributes, expect_shape, pool_shape, pool_shape_v2};
use crate::gradients::picked;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    const TYPES: &str =
        "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";
    let arguments = "orig_input: T, orig_output: T, grad: T";
    let sizes = "ksize: list(int) >= 4\n strides: list(int) >= 4";
    let format = "data_format: {'NHWC', 'NCHW'} = 'NHWC'";
    let spec = OpSpec::new(&format!(
        "MaxPoolGrad({arguments}) -> (output: T)
            {sizes}
            padding: {{'SAME', 'VALID', 'EXPLICIT'}}
            explicit_paddings: list(int) = []
            {format}
            T: {TYPES} = float"
    ))?;
    registry
        .add(spec.shape(shapes::unchanged).gradient(|cx| gradient(cx, "MaxPoolGradGrad")), make)?;
    let spec = OpSpec::new(&format!(
        "MaxPoolGradV2({arguments}, ksize: int32, strides: int32) -> (output: T)
            padding: {{'SAME', 'VALID'}}
            {format}
            T: {TYPES} = float"
    ))?;
    registry.add(
        spec.shape(shapes::unchanged).gradient(|cx| gradient(cx, "MaxPoolGradGradV2")),
        make,
    )?;
    let spec = OpSpec::new(&format!(
        "MaxPoolGradGrad({arguments}) -> (output: T)
            {sizes}
            padding: {{'SAME', 'VALID'}}
            {format}
            T: {TYPES}"
    ))?;
    registry.add(
        spec.shape(|cx| second_shape(cx, |cx| pool_shape(cx, 2)))
            .gradient(|cx| gradient(cx, "MaxPoolGrad")),
        make,
    )?;
    let spec = OpSpec::new(&format!(
        "MaxPoolGradGradV2({arguments}, ksize: int32, strides: int32) -> (output: T)
            padding: {{'SAME', 'VALID'}}
            {format}
            T: {TYPES}"
    ))?;
    registry.add(
        spec.shape(|cx| second_shape(cx, |cx| pool_shape_v2(cx, 3)))
            .gradient(|cx| gradient(cx, "MaxPoolGradV2")),
        make,
    )
}

fn second_shape(
    cx: &mut ShapeContext<'_>,
    forward: fn(&mut ShapeContext<'_>) -> Result<()>,
) -> Result<()> {
    cx.merge(cx.input(0), cx.input(2))?;
    forward(cx)
}

fn make(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let operation = build.op_name().to_string();
    let second = operation.contains("GradGrad");
    let sizes_are_inputs = build.get("ksize").is_none();
    let attributes = match sizes_are_inputs {
        true => PoolAttributes::without_sizes(build, 2)?,
        false => PoolAttributes::of(build, 2)?,
    };
    Ok(KernelBox::new(MaxGradient { operation, attributes, sizes_are_inputs, second }))
}

struct MaxGradient {
    operation: String,
    attributes: PoolAttributes,
    sizes_are_inputs: bool,
    second: bool,
}

impl Kernel for MaxGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let given;
        let attributes = if self.sizes_are_inputs {
            let ksize = cx.vector_input(3)?.to_i64_vec()?;
            given = self.attributes.with_sizes(ksize, cx.vector_input(4)?.to_i64_vec()?)?;
            &given
        } else {
            &self.attributes
        };
        let operation = &self.operation;
        let (input, output, grad) = (cx.input(0), cx.input(1), cx.input(2));
        let pool = attributes.spatial_pool(operation, input.dims())?;
        pool.expect_output(operation, "orig_output", output.shape())?;
        let result = if self.second {
            expect_shape(operation, "grad", input.shape(), grad.shape())?;
            second_gradient(operation, &pool, input, output, grad, cx.parallel())?
        } else {
            pool.expect_output(operation, "grad", grad.shape())?;
            first_gradient(operation, &pool, input, grad, cx.parallel())?
        };
        cx.set_output(0, result);
        Ok(())
    }
}

/// Each output's gradient goes to the first largest input under it.
fn first_gradient(
    operation: &str,
    pool: &Pool,
    input: &Tensor,
    grad: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    fn run<T: RealNumber>(
        pool: &Pool,
        input: &Tensor,
        grad: &Tensor,
        parallel: &Parallel,
    ) -> Result<Tensor> {
        let (x, dy) = (input.as_slice::<T>()?, grad.as_slice::<T>()?);
        let (image, inner) = (pool.input_image(), pool.inner);
        let out_image = pool.output_image();
        Tensor::build(input.shape(), |out: &mut [T]| {
            if out.is_empty() {
                return;
            }
            parallel.for_chunks(out, image, pool.grain(out_image), |first, run| {
                run.fill(T::default());
                let mut best = vec![T::default(); inner];
                let mut at_best = vec![0usize; inner];
                for (i, dx) in run.chunks_exact_mut(image).enumerate() {
                    let n = first + i;
                    let x = &x[n * image..(n + 1) * image];
                    for (pixel, dy) in
                        dy[n * out_image..(n + 1) * out_image].chunks_exact(inner).enumerate()
                    {
                        first_largest(pool, pixel, x, &mut best, &mut at_best);
                        for (c, (&at, &g)) in at_best.iter().zip(dy).enumerate() {
                            if at != usize::MAX {
                                dx[at + c] = dx[at + c].add_w(g);
                            }
                        }
                    }
                }
            });
        })
    }
    dispatch_real!(input.dtype(), operation, T => run::<T>(pool, input, grad, parallel))
}

/// For each channel the first largest value under `pixel` and its pixel's offset; `usize::MAX` where
/// the window lies in the padding. A NaN in the first place stays, as in TensorFlow.
pub(super) fn first_largest<T: RealNumber>(
    pool: &Pool,
    pixel: usize,
    x: &[T],
    best: &mut [T],
    at_best: &mut [usize],
) {
    at_best.fill(usize::MAX);
    let mut first = true;
    pool.for_window(pixel, |at| {
        let values = &x[at..at + best.len()];
        if first {
            best.copy_from_slice(values);
            at_best.fill(at);
            first = false;
            return;
        }
        for ((b, a), &v) in best.iter_mut().zip(at_best.iter_mut()).zip(values) {
            let larger = *b < v;
            *b = if larger { v } else { *b };
            *a = if larger { at } else { *a };
        }
    });
}

/// Each output takes the gradient of the first input under it that equals the maximum.
pub(super) fn second_gradient(
    operation: &str,
    pool: &Pool,
    input: &Tensor,
    output: &Tensor,
    grad: &Tensor,
    parallel: &Parallel,
) -> Result<Tensor> {
    fn run<T: RealNumber>(
        pool: &Pool,
        input: &Tensor,
        output: &Tensor,
        grad: &Tensor,
        parallel: &Parallel,
    ) -> Result<Tensor> {
        let (x, y, dx) = (input.as_slice::<T>()?, output.as_slice::<T>()?, grad.as_slice::<T>()?);
        let (image, pixels, inner) = (pool.input_image(), pool.output_pixels(), pool.inner);
        Tensor::build(&pool.output, |out: &mut [T]| {
            if out.is_empty() {
                return;
            }
            parallel.for_chunks(out, inner, pool.grain(inner), |first, run| {
                let mut found = vec![false; inner];
                for (i, to) in run.chunks_exact_mut(inner).enumerate() {
                    let index = first + i;
                    let start = index / pixels * image;
                    let y = &y[index * inner..(index + 1) * inner];
                    to.fill(T::default());
                    found.fill(false);
                    pool.for_window(index % pixels, |at| {
                        let x = &x[start + at..start + at + inner];
                        for c in 0..inner {
                            if !found[c] && x[c] == y[c] {
                                to[c] = dx[start + at + c];
                                found[c] = true;
                            }
                        }
                    });
                }
            });
        })
    }
    dispatch_real!(input.dtype(), operation, T => run::<T>(pool, input, output, grad, parallel))
}

fn gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let mut attrs = picked(cx.node(), &["ksize", "strides", "padding", "data_format"]);
    if op == "MaxPoolGrad" {
        attrs.set("explicit_paddings", Vec::<i64>::new());
    }
    let (x, y, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let mut inputs = vec![x, y, grad];
    let extra = cx.inputs_len() - 3;
    for i in 0..extra {
        inputs.push(cx.input(3 + i));
    }
    let (zero_x, zero_y) = (cx.op("ZerosLike", &[x])?, cx.op("ZerosLike", &[y])?);
    let third = cx.op_with(op, &inputs, attrs)?;
    let mut out = vec![Gradient::Dense(zero_x), Gradient::Dense(zero_y), Gradient::Dense(third)];
    out.resize(3 + extra, Gradient::None);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn op(name: &str) -> OpTest {
        OpTest::new(register, name)
            .attr("ksize", vec![1i64, 2, 2, 1])
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "VALID")
    }

    fn square(dims: [usize; 4], values: &[f32]) -> Tensor {
        Tensor::from_slice(dims, values).unwrap()
    }

    #[test]
    fn ties_go_to_the_first() {
        let x = square([1, 2, 3, 1], &[1.0; 6]);
        let y = square([1, 1, 2, 1], &[1.0; 2]);
        let dy = square([1, 1, 2, 1], &[11.0, 12.0]);
        let dx = op("MaxPoolGrad").input(x.clone()).input(y.clone()).input(dy).run_one().unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap(), &[11.0, 12.0, 0.0, 0.0, 0.0, 0.0]);
        let g = square([1, 2, 3, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let d = op("MaxPoolGradGrad").input(x).input(y).input(g).run_one().unwrap();
        assert_eq!(d.as_slice::<f32>().unwrap(), &[1.0, 2.0]);
    }

    #[test]
    fn wrong_shapes_are_named() {
        let x = square([1, 2, 3, 1], &[1.0; 6]);
        let bad = square([1, 1, 1, 1], &[1.0]);
        let status = op("MaxPoolGrad").input(x).input(bad.clone()).input(bad).run().unwrap_err();
        assert!(
            status
                .message()
                .contains("Expected orig_output shape to be [1,1,2,1], but got [1,1,1,1]")
        );
    }
}
