//! DepthwiseConv2dNative and its gradients.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{
    DataType, RealNumber, Result, Shape, Status, Tensor, checked_elements, unsupported_dtype,
};

use super::core::{Planes, filter_gradient, forward, input_gradient};
use crate::convolution::{in_compute_type, sizes_input};
use crate::gradients::picked;
use crate::window::{ChannelOrder, WindowAttributes, to_channels_first, to_channels_last};

const ATTRIBUTES: &str = "T: {half, bfloat16, float, double}
    strides: list(int)
    padding: {'SAME', 'VALID', 'EXPLICIT'}
    explicit_paddings: list(int) = []
    data_format: {'NHWC', 'NCHW'} = 'NHWC'
    dilations: list(int) = [1, 1, 1, 1]";

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let spec = |arguments: &str| OpSpec::new(&format!("{arguments} -> (output: T)\n{ATTRIBUTES}"));
    registry.add(
        spec("DepthwiseConv2dNative(input: T, filter: T)")?
            .shape(forward_shape)
            .gradient(forward_rule)
            .tolerance(1e-5),
        |build| Ok(KernelBox::new(Forward(WindowAttributes::of(build, 2)?))),
    )?;
    registry.add(
        spec("DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T)")?
            .shape(|cx| gradient_shape(cx, 0))
            .gradient(input_rule)
            .tolerance(1e-5),
        |build| Ok(KernelBox::new(InputGradient(WindowAttributes::of(build, 2)?))),
    )?;
    registry.add(
        spec(
            "DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T)",
        )?
        .shape(|cx| gradient_shape(cx, 1))
        .gradient(filter_rule)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(FilterGradient(WindowAttributes::of(build, 2)?))),
    )
}

fn forward_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
    let window = WindowAttributes::of(cx.node(), 2)?;
    let depth = cx.merge_dim(input.dim(window.order.channel(4)), filter.dim(2))?;
    let outputs = depth.zip(filter.dim(3)).and_then(|(d, m)| d.checked_mul(m));
    let first = window.order.spatial();
    let sizes = window
        .output_dims(&[input.dim(first), input.dim(first + 1)], &[filter.dim(0), filter.dim(1)])?;
    cx.set_output(0, PartialShape::of(window.order.arrange(input.dim(0), &sizes, outputs)));
    Ok(())
}

fn gradient_shape(cx: &mut ShapeContext<'_>, i: usize) -> Result<()> {
    let shape = cx.shape_from_input(i)?;
    let known = PartialShape::of_rank(4);
    cx.set_output(0, shape.merge(&known).unwrap_or(known));
    Ok(())
}

/// The agreed sizes of input, filter and output.
struct Sizes {
    batch: usize,
    multiplier: usize,
    planes: Planes,
    output: Shape,
}

impl Sizes {
    fn of(
        operation: &str,
        window: &WindowAttributes,
        input: &[usize],
        filter: &[usize],
    ) -> Result<Sizes> {
        for (what, dims) in [("input", input), ("filter", filter)] {
            if dims.len() != 4 {
                return Err(Status::invalid_argument(format!(
                    "{operation}: {what} must be 4-dimensional, got {}",
                    Shape::new(dims)
                )));
            }
        }
        let depth = input[window.order.channel(4)];
        if depth != filter[2] {
            return Err(Status::invalid_argument(format!(
                "{operation}: input and filter must have the same depth: {depth} vs {}",
                filter[2]
            )));
        }
        let first = window.order.spatial();
        let [_, rows, columns] = window.axes(&input[first..first + 2], &filter[..2])?;
        let multiplier = filter[3];
        let channels = checked_elements(&[depth, multiplier])?;
        let spatial = [rows.output, columns.output];
        let output: Shape = window.order.arrange(input[0], &spatial, channels).into();
        checked_elements(&output)?;
        // The repeated input must be countable too.
        checked_elements(&[input.iter().product(), multiplier])?;
        Ok(Sizes {
            batch: input[0],
            multiplier,
            planes: Planes { channels, rows, columns },
            output,
        })
    }

    fn expect_grad(&self, operation: &str, grad: &Tensor) -> Result<()> {
        if grad.shape() == &self.output {
            return Ok(());
        }
        Err(Status::invalid_argument(format!(
            "{operation}: out_backprop must have shape {}, got {}: the batch size, \
             depth_multiplier * in_depth and the number of rows and cols must match",
            self.output,
            grad.shape()
        )))
    }

    fn dims(&self, order: ChannelOrder, rows: usize, columns: usize, channels: usize) -> Shape {
        order.arrange(self.batch, &[rows, columns], channels).into()
    }
}

/// The tensor channels-last, each channel `times` times.
fn repeated<T: RealNumber>(
    tensor: &Tensor,
    order: ChannelOrder,
    times: usize,
    parallel: &Parallel,
) -> Result<Tensor> {
    let last = match order {
        ChannelOrder::Last => tensor.clone(),
        ChannelOrder::First => to_channels_last::<T>(tensor, parallel)?,
    };
    if times == 1 {
        return Ok(last);
    }
    let mut shape = last.shape().clone();
    shape.dims_mut()[3] *= times;
    let from = last.as_slice::<T>()?;
    Tensor::build(shape, |out: &mut [T]| {
        for (to, &value) in out.chunks_exact_mut(times.max(1)).zip(from) {
            to.fill(value);
        }
    })
}

fn restored<T: RealNumber>(
    tensor: Tensor,
    order: ChannelOrder,
    parallel: &Parallel,
) -> Result<Tensor> {
    match order {
        ChannelOrder::Last => Ok(tensor),
        ChannelOrder::First => to_channels_first::<T>(&tensor, parallel),
    }
}

/// Runs the body with `T` float32 or double; half types come as float32.
macro_rules! in_float {
    ($operation:expr, $dtype:expr, [$($value:expr),+], |$T:ident, $values:ident| $body:expr) => {
        in_compute_type($operation, $dtype, &[$($value),+], |dtype, $values| match dtype {
            DataType::Float => { type $T = f32; $body }
            DataType::Double => { type $T = f64; $body }
            other => Err(unsupported_dtype($operation, other)),
        })
    };
}

struct Forward(WindowAttributes);

impl Kernel for Forward {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "DepthwiseConv2dNative";
        let (input, filter, parallel) = (cx.input(0), cx.input(1), cx.parallel());
        let sizes = Sizes::of(operation, &self.0, input.dims(), filter.dims())?;
        let order = self.0.order;
        let output = in_float!(operation, input.dtype(), [input, filter], |T, values| {
            let x = repeated::<T>(&values[0], order, sizes.multiplier, parallel)?;
            let planes = &sizes.planes;
            let shape = sizes.dims(
                ChannelOrder::Last,
                planes.rows.output,
                planes.columns.output,
                planes.channels,
            );
            let mut y = Tensor::new(values[0].dtype(), shape)?;
            let out = y.as_mut_slice::<T>().expect("a new tensor has one owner");
            forward::<T>(planes, x.as_slice()?, values[1].as_slice()?, out, parallel);
            restored::<T>(y, order, parallel)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct InputGradient(WindowAttributes);

impl Kernel for InputGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "DepthwiseConv2dNativeBackpropInput";
        let input = sizes_input(operation, "input_sizes", cx.input(0))?;
        let (filter, grad, parallel) = (cx.input(1), cx.input(2), cx.parallel());
        let sizes = Sizes::of(operation, &self.0, &input, filter.dims())?;
        sizes.expect_grad(operation, grad)?;
        let order = self.0.order;
        let output = in_float!(operation, grad.dtype(), [filter, grad], |T, values| {
            let dy = repeated::<T>(&values[1], order, 1, parallel)?;
            let (planes, times) = (&sizes.planes, sizes.multiplier);
            let dims = |channels| {
                sizes.dims(ChannelOrder::Last, planes.rows.input, planes.columns.input, channels)
            };
            let mut wide = Tensor::new(values[0].dtype(), dims(planes.channels))?;
            let out = wide.as_mut_slice::<T>().expect("a new tensor has one owner");
            input_gradient::<T>(planes, values[0].as_slice()?, dy.as_slice()?, out, parallel);
            let dx = if times == 1 {
                wide
            } else {
                // What was repeated on the way in is summed on the way back.
                let depth = filter.dims()[2];
                let wide = wide.as_slice::<T>()?;
                Tensor::build(dims(depth), |out: &mut [T]| {
                    out.fill(0.0);
                    for (o, group) in out.iter_mut().zip(wide.chunks_exact(times.max(1))) {
                        *o = group.iter().sum();
                    }
                })?
            };
            restored::<T>(dx, order, parallel)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct FilterGradient(WindowAttributes);

impl Kernel for FilterGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "DepthwiseConv2dNativeBackpropFilter";
        let filter = sizes_input(operation, "filter_sizes", cx.input(1))?;
        let (input, grad, parallel) = (cx.input(0), cx.input(2), cx.parallel());
        let sizes = Sizes::of(operation, &self.0, input.dims(), &filter)?;
        sizes.expect_grad(operation, grad)?;
        let order = self.0.order;
        let output = in_float!(operation, grad.dtype(), [input, grad], |T, values| {
            let x = repeated::<T>(&values[0], order, sizes.multiplier, parallel)?;
            let dy = repeated::<T>(&values[1], order, 1, parallel)?;
            let mut dw = Tensor::new(values[0].dtype(), &filter)?;
            let out = dw.as_mut_slice::<T>().expect("a new tensor has one owner");
            let (x, dy) = (x.as_slice()?, dy.as_slice()?);
            let mut partial = Tensor::new(values[0].dtype(), [sizes.batch, out.len()])?;
            let partial = partial.as_mut_slice::<T>().expect("a new tensor has one owner");
            filter_gradient::<T>(&sizes.planes, x, dy, partial, out, parallel);
            Ok(dw)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn shared(cx: &GradientContext<'_, '_>) -> Attrs {
    picked(cx.node(), &["strides", "padding", "explicit_paddings", "data_format", "dilations"])
}

fn forward_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (x, w, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let (x_shape, w_shape) = (cx.shape(x)?, cx.shape(w)?);
    let attrs = shared(cx);
    let input = "DepthwiseConv2dNativeBackpropInput";
    let dx = cx.op_with(input, &[x_shape, w, grad], attrs.clone())?;
    let dw = cx.op_with("DepthwiseConv2dNativeBackpropFilter", &[x, w_shape, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::Dense(dw)])
}

fn input_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (w, dy, grad) = (cx.input(1), cx.input(2), cx.grad(0)?);
    let w_shape = cx.shape(w)?;
    let attrs = shared(cx);
    let filter = "DepthwiseConv2dNativeBackpropFilter";
    let dw = cx.op_with(filter, &[grad, w_shape, dy], attrs.clone())?;
    let ddy = cx.op_with("DepthwiseConv2dNative", &[grad, w], attrs)?;
    Ok(vec![Gradient::None, Gradient::Dense(dw), Gradient::Dense(ddy)])
}

fn filter_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (x, dy, grad) = (cx.input(0), cx.input(2), cx.grad(0)?);
    let x_shape = cx.shape(x)?;
    let attrs = shared(cx);
    let input = "DepthwiseConv2dNativeBackpropInput";
    let dx = cx.op_with(input, &[x_shape, grad, dy], attrs.clone())?;
    let ddy = cx.op_with("DepthwiseConv2dNative", &[x, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::Dense(ddy)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn op(name: &str, padding: &'static str) -> OpTest {
        OpTest::new(register, name).attr("strides", vec![1i64, 1, 1, 1]).attr("padding", padding)
    }

    fn counted(dims: &[usize]) -> Tensor {
        let count: usize = dims.iter().product();
        Tensor::from_vec(dims, (1..=count).map(|v| v as f32).collect()).unwrap()
    }

    #[test]
    fn known_values() {
        // From TensorFlow's own test: 2x3 image of two channels, multiplier two.
        let y = op("DepthwiseConv2dNative", "VALID")
            .input(counted(&[1, 2, 3, 2]))
            .input(counted(&[2, 2, 2, 2]))
            .run_one()
            .unwrap();
        let expected = [196.0, 216.0, 272.0, 296.0, 252.0, 280.0, 344.0, 376.0];
        assert_eq!(y.as_slice::<f32>().unwrap(), &expected);
    }

    /// Each pass against the definition, with a multiplier, a stride and more channels than a block.
    #[test]
    fn the_passes_agree_with_plain_sums() {
        let (channels, times) = (9, 2);
        let (x, w) = (counted(&[2, 5, 4, channels]), counted(&[3, 2, channels, times]));
        let small = |t: &Tensor| {
            t.as_slice::<f32>().unwrap().iter().map(|v| v % 7.0 - 3.0).collect::<Vec<f32>>()
        };
        let (xs, ws) = (small(&x), small(&w));
        let outputs = channels * times;
        let dys: Vec<f32> = (0..2 * 3 * 2 * outputs).map(|i| (i % 5) as f32 - 2.0).collect();
        let (mut y, mut dx, mut dw) =
            (vec![0f32; dys.len()], vec![0f32; xs.len()], vec![0f32; ws.len()]);
        for n in 0..2 {
            for h in 0..3 {
                for v in 0..2 {
                    for kh in 0..3 {
                        for kw in 0..2 {
                            let (i, j) = ((h * 2 + kh) as isize - 1, (v * 2 + kw) as isize);
                            if !(0..5).contains(&i) || !(0..4).contains(&j) {
                                continue;
                            }
                            for o in 0..outputs {
                                let at =
                                    ((n * 5 + i as usize) * 4 + j as usize) * channels + o / times;
                                let (k, to) = (
                                    (kh * 2 + kw) * outputs + o,
                                    ((n * 3 + h) * 2 + v) * outputs + o,
                                );
                                y[to] += xs[at] * ws[k];
                                dx[at] += dys[to] * ws[k];
                                dw[k] += dys[to] * xs[at];
                            }
                        }
                    }
                }
            }
        }
        let strided = |name: &str| {
            OpTest::new(register, name).attr("strides", vec![1i64, 2, 2, 1]).attr("padding", "SAME")
        };
        let xt = Tensor::from_vec([2, 5, 4, channels], xs).unwrap();
        let wt = Tensor::from_vec([3, 2, channels, times], ws).unwrap();
        let dyt = Tensor::from_vec([2, 3, 2, outputs], dys).unwrap();
        let got =
            strided("DepthwiseConv2dNative").input(xt.clone()).input(wt.clone()).run_one().unwrap();
        assert_eq!(got.as_slice::<f32>().unwrap(), &y);
        let sizes = Tensor::vector(&[2i32, 5, 4, channels as i32]).unwrap();
        let got =
            strided("DepthwiseConv2dNativeBackpropInput").input(sizes).input(wt).input(dyt.clone());
        assert_eq!(got.run_one().unwrap().as_slice::<f32>().unwrap(), &dx);
        let sizes = Tensor::vector(&[3i32, 2, channels as i32, times as i32]).unwrap();
        let got = strided("DepthwiseConv2dNativeBackpropFilter").input(xt).input(sizes).input(dyt);
        assert_eq!(got.run_one().unwrap().as_slice::<f32>().unwrap(), &dw);
    }

    #[test]
    fn bad_shapes_are_refused() {
        let depth = op("DepthwiseConv2dNative", "SAME");
        assert!(depth.input(counted(&[1, 2, 2, 3])).input(counted(&[1, 1, 2, 1])).run().is_err());
        let empty = op("DepthwiseConv2dNative", "SAME");
        let y =
            empty.input(counted(&[1, 2, 2, 3])).input(counted(&[1, 1, 3, 0])).run_one().unwrap();
        assert_eq!(y.dims(), &[1, 2, 2, 0]);
        let grad = op("DepthwiseConv2dNativeBackpropInput", "SAME")
            .input(Tensor::vector(&[1i32, 2, 2, 3]).unwrap())
            .input(counted(&[1, 1, 3, 1]))
            .input(counted(&[1, 2, 1, 3]));
        assert!(grad.run().is_err());
    }
}
