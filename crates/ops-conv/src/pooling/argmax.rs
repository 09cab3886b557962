//! MaxPoolWithArgmax and its gradients.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, dispatch_real};

use super::max_gradient::first_largest;
use super::window::{Pool, PoolAttributes, expect_shape, pool_shape};
use crate::gradients::picked;

const TYPES: &str =
    "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new(&format!(
        "MaxPoolWithArgmax(input: T) -> (output: T, argmax: Targmax)
            ksize: list(int) >= 4
            strides: list(int) >= 4
            Targmax: {{int32, int64}} = int64
            padding: {{'SAME', 'VALID'}}
            include_batch_in_index: bool = false
            {TYPES}"
    ))?;
    registry.add(spec.shape(forward_shape).gradient(gradient), |build| {
        Ok(KernelBox::new(WithArgmax(Attributes::of(build)?)))
    })?;
    for (name, shape) in [
        ("MaxPoolGradWithArgmax", shapes::unchanged as fn(&mut ShapeContext<'_>) -> Result<()>),
        ("MaxPoolGradGradWithArgmax", |cx| pool_shape(cx, 2)),
    ] {
        let spec = OpSpec::new(&format!(
            "{name}(input: T, grad: T, argmax: Targmax) -> (output: T)
                ksize: list(int) >= 4
                strides: list(int) >= 4
                padding: {{'SAME', 'VALID'}}
                include_batch_in_index: bool = false
                Targmax: {{int32, int64}}
                {TYPES}"
        ))?;
        registry.add(spec.shape(shape), |build| {
            let second = build.op_name() == "MaxPoolGradGradWithArgmax";
            Ok(KernelBox::new(ArgmaxGradient { attributes: Attributes::of(build)?, second }))
        })?;
    }
    Ok(())
}

fn forward_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let input = cx.with_rank(0, 4)?;
    let window = PoolAttributes::of(cx.node(), 2)?;
    let shape = match window.depth_window() {
        1 => window.output_shape(&input)?,
        _ => PartialShape::of_rank(4),
    };
    cx.set_output(0, shape.clone());
    cx.set_output(1, shape);
    Ok(())
}

struct Attributes {
    window: PoolAttributes,
    batch_in_index: bool,
    narrow_index: bool,
}

impl Attributes {
    fn of(build: &KernelBuild<'_>) -> Result<Attributes> {
        Ok(Attributes {
            window: PoolAttributes::of(build, 2)?,
            batch_in_index: build.bool("include_batch_in_index")?,
            narrow_index: build.dtype("Targmax")? == DataType::Int32,
        })
    }
}

struct WithArgmax(Attributes);

impl Kernel for WithArgmax {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        // A window over channels is checked and then not applied: TensorFlow's tests want it so.
        let pool = self.0.window.pool("MaxPoolWithArgmax", input.dims())?;
        self.0.window.check_depth_window(input.dims()[3])?;
        let (output, argmax) = dispatch_real!(input.dtype(), "MaxPoolWithArgmax", T => {
            with_argmax::<T>(&pool, input, self.0.batch_in_index, cx.parallel())
        })?;
        let argmax = if self.0.narrow_index {
            let wide = argmax.as_slice::<i64>()?;
            Tensor::build(argmax.shape(), |out: &mut [i32]| {
                out.iter_mut().zip(wide).for_each(|(o, &v)| *o = v as i32);
            })?
        } else {
            argmax
        };
        cx.set_output(0, output);
        cx.set_output(1, argmax);
        Ok(())
    }
}

fn with_argmax<T: RealNumber>(
    pool: &Pool,
    input: &Tensor,
    batch_in_index: bool,
    parallel: &Parallel,
) -> Result<(Tensor, Tensor)> {
    let x = input.as_slice::<T>()?;
    let (image, pixels, inner) = (pool.input_image(), pool.output_pixels(), pool.inner);
    let mut output = Tensor::new(T::DTYPE, &pool.output)?;
    let argmax = Tensor::build(&pool.output, |indices: &mut [i64]| {
        if indices.is_empty() {
            return;
        }
        parallel.for_chunks(indices, inner, pool.grain(inner), |first, run| {
            let (mut best, mut at_best) = (vec![T::default(); inner], vec![0; inner]);
            for (i, to) in run.chunks_exact_mut(inner).enumerate() {
                let (n, pixel) = ((first + i) / pixels, (first + i) % pixels);
                first_largest(pool, pixel, &x[n * image..(n + 1) * image], &mut best, &mut at_best);
                let base = if batch_in_index { n * image } else { 0 };
                for (c, (to, &at)) in to.iter_mut().zip(&at_best).enumerate() {
                    *to = if at == usize::MAX { -1 } else { (base + at + c) as i64 };
                }
            }
        });
    })?;
    let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
    let indices = argmax.as_slice::<i64>()?;
    for (i, (o, &at)) in out.iter_mut().zip(indices).enumerate() {
        let base = if batch_in_index { 0 } else { i / pool.output_image() * image };
        *o = if at < 0 { T::min_value() } else { x[base + at as usize] };
    }
    Ok((output, argmax))
}

struct ArgmaxGradient {
    attributes: Attributes,
    second: bool,
}

impl Kernel for ArgmaxGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = cx.node().op_name();
        let (input, grad, argmax) = (cx.input(0), cx.input(1), cx.input(2));
        let pool = self.attributes.window.spatial_pool(operation, input.dims())?;
        if self.second {
            expect_shape(operation, "grad", input.shape(), grad.shape())?;
        } else {
            pool.expect_output(operation, "grad", grad.shape())?;
        }
        pool.expect_output(operation, "argmax", argmax.shape())?;
        let positions = self.positions(operation, &pool, argmax)?;
        let result = dispatch_real!(input.dtype(), operation, T => {
            let grad = grad.as_slice::<T>()?;
            if self.second {
                Tensor::build(&pool.output, |out: &mut [T]| {
                    out.iter_mut().zip(&positions).for_each(|(o, &at)| *o = grad[at]);
                })
            } else {
                Tensor::build(input.shape(), |out: &mut [T]| {
                    out.fill(T::default());
                    for (&at, &g) in positions.iter().zip(grad) {
                        out[at] = out[at].add_w(g);
                    }
                })
            }
        })?;
        cx.set_output(0, result);
        Ok(())
    }
}

impl ArgmaxGradient {
    /// Where in the whole input each argmax points; it must be in its own image.
    fn positions(&self, operation: &str, pool: &Pool, argmax: &Tensor) -> Result<Vec<usize>> {
        let (image, out_image) = (pool.input_image(), pool.output_image());
        let indices = argmax.to_i64_vec()?;
        indices
            .iter()
            .enumerate()
            .map(|(i, &at)| {
                let start = i / out_image.max(1) * image;
                let base = if self.attributes.batch_in_index { 0 } else { start };
                usize::try_from(at)
                    .ok()
                    .and_then(|at| at.checked_add(base))
                    .filter(|at| (start..start + image).contains(at))
                    .ok_or_else(|| {
                        Status::invalid_argument(format!(
                            "{operation}: argmax[{i}] = {at} is outside its image of {image} elements"
                        ))
                    })
            })
            .collect()
    }
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["ksize", "strides", "padding", "include_batch_in_index"]);
    let (x, grad, argmax) = (cx.input(0), cx.grad(0)?, cx.output(1));
    Ok(vec![Gradient::Dense(cx.op_with("MaxPoolGradWithArgmax", &[x, grad, argmax], attrs)?)])
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

    #[test]
    fn positions_with_and_without_batch() {
        let x =
            Tensor::from_vec([2, 2, 2, 1], vec![1f32, 2.0, 0.0, 1.0, 9.0, 2.0, 3.0, 9.0]).unwrap();
        let out = op("MaxPoolWithArgmax").input(x.clone()).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[2.0, 9.0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[1, 0]);
        let out = op("MaxPoolWithArgmax")
            .input(x.clone())
            .attr("include_batch_in_index", true)
            .attr("Targmax", DataType::Int32)
            .run()
            .unwrap();
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[1, 4]);
        let dy = Tensor::from_vec([2, 1, 1, 1], vec![5f32, 7.0]).unwrap();
        let argmax = Tensor::from_vec([2, 1, 1, 1], vec![1i64, 0]).unwrap();
        let dx = op("MaxPoolGradWithArgmax").input(x).input(dy).input(argmax).run_one().unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap(), &[0.0, 5.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn an_argmax_outside_is_refused() {
        let x = Tensor::from_vec([1, 2, 2, 1], vec![1f32; 4]).unwrap();
        let dy = Tensor::from_vec([1, 1, 1, 1], vec![5f32]).unwrap();
        for bad in [-1i64, 4, i64::MAX] {
            let argmax = Tensor::from_vec([1, 1, 1, 1], vec![bad]).unwrap();
            let test = op("MaxPoolGradWithArgmax").input(x.clone()).input(dy.clone()).input(argmax);
            assert!(test.run().is_err());
        }
        let empty = Tensor::from_vec([0, 2, 2, 1], Vec::<f32>::new()).unwrap();
        let none = Tensor::from_vec([0, 1, 1, 1], Vec::<f32>::new()).unwrap();
        let argmax = Tensor::from_vec([0, 1, 1, 1], Vec::<i64>::new()).unwrap();
        assert!(op("MaxPoolGradWithArgmax").input(empty).input(none).input(argmax).run().is_ok());
    }
}
