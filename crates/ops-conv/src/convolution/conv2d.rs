//! Conv2D and its gradients.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

use super::tensors::{Label, convolve, filter_gradient_of, input_gradient_of};
use super::{shapes, sizes_input};
use crate::gradients::picked;
use crate::window::WindowAttributes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Conv2D(input: T, filter: T) -> (output: T)
                T: {half, bfloat16, float, double, int32}
                strides: list(int)
                use_cudnn_on_gpu: bool = true
                padding: {'SAME', 'VALID', 'EXPLICIT'}
                explicit_paddings: list(int) = []
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                dilations: list(int) = [1, 1, 1, 1]",
        )?
        .shape(|cx| shapes::convolution(cx, 2))
        .gradient(forward_gradient)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Forward(WindowAttributes::of(build, 2)?))),
    )?;
    let attributes = "strides: list(int)
                use_cudnn_on_gpu: bool = true
                padding: {'SAME', 'VALID', 'EXPLICIT'}
                explicit_paddings: list(int) = []
                data_format: {'NHWC', 'NCHW'} = 'NHWC'
                dilations: list(int) = [1, 1, 1, 1]";
    for (name, sizes) in
        [("Conv2DBackpropInput", "input_sizes: int32"), ("Conv2DBackpropInputV2", "input: T")]
    {
        let signature = format!(
            "{name}({sizes}, filter: T, out_backprop: T) -> (output: T)
                T: {{half, bfloat16, float, double, int32}}
                {attributes}"
        );
        let spec = OpSpec::new(&signature)?
            .shape(|cx| shapes::sizes_or_shape(cx, 0, 4))
            .gradient(input_gradient_rule)
            .tolerance(1e-5);
        registry.add(spec, |build| Ok(KernelBox::new(InputGradient(Pass::of(build)?))))?;
    }
    for (name, sizes) in
        [("Conv2DBackpropFilter", "filter_sizes: int32"), ("Conv2DBackpropFilterV2", "filter: T")]
    {
        let signature = format!(
            "{name}(input: T, {sizes}, out_backprop: T) -> (output: T)
                T: {{half, bfloat16, float, double}}
                {attributes}"
        );
        let spec = OpSpec::new(&signature)?
            .shape(|cx| shapes::sizes_or_shape(cx, 1, 4))
            .gradient(filter_gradient_rule)
            .tolerance(1e-5);
        registry.add(spec, |build| Ok(KernelBox::new(FilterGradient(Pass::of(build)?))))?;
    }
    Ok(())
}

struct Forward(WindowAttributes);

impl Kernel for Forward {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let label = Label { operation: "Conv2D", spatial: 2 };
        let output = convolve(label, &self.0, cx.input(0), cx.input(1), cx.parallel(), None)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// A gradient pass: its window, and whether the wanted shape comes as values.
struct Pass {
    window: WindowAttributes,
    by_sizes: bool,
}

impl Pass {
    fn of(build: &KernelBuild<'_>) -> Result<Pass> {
        let by_sizes = !build.op_name().ends_with("V2");
        Ok(Pass { window: WindowAttributes::of(build, 2)?, by_sizes })
    }
}

struct InputGradient(Pass);

impl Kernel for InputGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let window = &self.0.window;
        let (filter, grad) = (cx.input(1), cx.input(2));
        let label = Label { operation: "Conv2DBackpropInput", spatial: 2 };
        if grad.rank() != 4 || filter.rank() != 4 {
            return Err(Status::invalid_argument(format!(
                "Conv2DBackpropInput: filter and out_backprop must be 4-dimensional, got {} and {}",
                filter.shape(),
                grad.shape()
            )));
        }
        let input = match (self.0.by_sizes, cx.input(0)) {
            (false, input) => input.shape().clone(),
            (true, sizes) if sizes.rank() == 1 && sizes.len() == 2 => {
                let rows_columns = Shape::from_i64(&sizes.to_i64_vec()?)?;
                window.order.arrange(grad.dims()[0], &rows_columns, filter.dims()[2]).into()
            }
            (true, sizes) => {
                let shape = sizes_input(label.operation, "input_sizes", sizes)?;
                if shape.rank() != 4 {
                    return Err(Status::invalid_argument(format!(
                        "Conv2DBackpropInput requires input_sizes to contain 4 values or 2 values, but got: {}",
                        shape.rank()
                    )));
                }
                shape
            }
        };
        let output = input_gradient_of(label, window, &input, filter, grad, cx.parallel())?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct FilterGradient(Pass);

impl Kernel for FilterGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let label = Label { operation: "Conv2DBackpropFilter", spatial: 2 };
        let filter = match self.0.by_sizes {
            true => sizes_input(label.operation, "filter_sizes", cx.input(1))?,
            false => cx.input(1).shape().clone(),
        };
        let (input, grad) = (cx.input(0), cx.input(2));
        let output =
            filter_gradient_of(label, &self.0.window, input, &filter, grad, cx.parallel())?;
        cx.set_output(0, output);
        Ok(())
    }
}

const SHARED: &[&str] =
    &["strides", "padding", "explicit_paddings", "use_cudnn_on_gpu", "data_format", "dilations"];

fn shared(cx: &GradientContext<'_, '_>) -> Attrs {
    picked(cx.node(), SHARED)
}

fn forward_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (x, w, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let (x_shape, w_shape) = (cx.shape(x)?, cx.shape(w)?);
    let attrs = shared(cx);
    let dx = cx.op_with("Conv2DBackpropInput", &[x_shape, w, grad], attrs.clone())?;
    let dw = cx.op_with("Conv2DBackpropFilter", &[x, w_shape, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::Dense(dw)])
}

fn input_gradient_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (w, dy, grad) = (cx.input(1), cx.input(2), cx.grad(0)?);
    let w_shape = cx.shape(w)?;
    let attrs = shared(cx);
    let dw = cx.op_with("Conv2DBackpropFilter", &[grad, w_shape, dy], attrs.clone())?;
    let ddy = cx.op_with("Conv2D", &[grad, w], attrs)?;
    Ok(vec![Gradient::None, Gradient::Dense(dw), Gradient::Dense(ddy)])
}

fn filter_gradient_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (x, dy, grad) = (cx.input(0), cx.input(2), cx.grad(0)?);
    let x_shape = cx.shape(x)?;
    let attrs = shared(cx);
    let dx = cx.op_with("Conv2DBackpropInput", &[x_shape, grad, dy], attrs.clone())?;
    let ddy = cx.op_with("Conv2D", &[x, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::Dense(ddy)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Code, Tensor, f16};

    fn counted(dims: &[usize]) -> Tensor {
        let count: usize = dims.iter().product();
        Tensor::from_vec(dims, (1..=count).map(|v| v as f32).collect()).unwrap()
    }

    fn conv(input: Tensor, filter: Tensor, stride: i64, padding: &'static str) -> OpTest {
        OpTest::new(register, "Conv2D")
            .input(input)
            .input(filter)
            .attr("strides", vec![1i64, stride, stride, 1])
            .attr("padding", padding)
    }

    #[test]
    fn known_values() {
        // From TensorFlow's own tests: 2x2 filter over a 2x3 image of three channels.
        let y = conv(counted(&[1, 2, 3, 3]), counted(&[2, 2, 3, 3]), 1, "VALID").run_one().unwrap();
        assert_eq!(y.dims(), &[1, 1, 2, 3]);
        let expected = [2271.0, 2367.0, 2463.0, 2901.0, 3033.0, 3165.0];
        assert_eq!(y.as_slice::<f32>().unwrap(), &expected);
        let y = conv(counted(&[1, 2, 3, 3]), counted(&[2, 2, 3, 3]), 2, "SAME").run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[2271.0, 2367.0, 2463.0, 1230.0, 1305.0, 1380.0]);
    }

    #[test]
    fn channels_first_is_the_transpose() {
        let x = Tensor::from_vec([1, 1, 2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let y = OpTest::new(register, "Conv2D")
            .input(x)
            .input(Tensor::from_vec([1, 1, 1, 2], vec![1f32, 10.0]).unwrap())
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "VALID")
            .attr("data_format", "NCHW")
            .run_one()
            .unwrap();
        assert_eq!(y.dims(), &[1, 2, 2, 2]);
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0]);
    }

    /// Found by the fuzzer; TensorFlow gives zeros too.
    #[test]
    fn an_input_without_channels_gives_zeros() {
        for padding in ["SAME", "VALID"] {
            let y = conv(counted(&[1, 4, 4, 0]), counted(&[1, 1, 1, 3]), 1, padding);
            let y = y.run_one().unwrap();
            assert_eq!(y.dims(), &[1, 4, 4, 3]);
            assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0; 48]);
        }
        let y = conv(counted(&[1, 4, 4, 0]), counted(&[3, 3, 1, 3]), 1, "SAME").run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0; 48]);
    }

    #[test]
    fn half_is_computed_in_float() {
        let x = Tensor::from_vec([1, 1, 2, 1], vec![f16::from_f32(1.5); 2]).unwrap();
        let w = Tensor::from_vec([1, 1, 1, 1], vec![f16::from_f32(2.0)]).unwrap();
        let y = conv(x, w, 1, "SAME").run_one().unwrap();
        assert_eq!(y.as_slice::<f16>().unwrap(), &[f16::from_f32(3.0); 2]);
    }

    #[test]
    fn bad_shapes_are_refused() {
        let refused = |op: OpTest| op.run().unwrap_err().code();
        let invalid = Code::InvalidArgument;
        assert_eq!(
            refused(conv(counted(&[1, 1, 1, 1]), counted(&[1, 0, 1, 1]), 1, "SAME")),
            invalid
        );
        assert_eq!(
            refused(conv(counted(&[1, 1, 1, 1]), counted(&[1, 1, 0, 1]), 1, "SAME")),
            invalid
        );
        assert_eq!(
            refused(conv(counted(&[1, 2, 2, 3]), counted(&[1, 1, 2, 1]), 1, "SAME")),
            invalid
        );
        assert_eq!(refused(conv(counted(&[3]), counted(&[1, 1, 2, 1]), 1, "SAME")), invalid);
        assert_eq!(
            refused(conv(counted(&[1, 2, 2, 1]), counted(&[3, 3, 1, 1]), 1, "VALID")),
            invalid
        );
        let op = OpTest::new(register, "Conv2DBackpropFilter")
            .input(counted(&[1, 2, 2, 1]))
            .input(Tensor::vector(&[1i32, 1, 1, 5]).unwrap())
            .input(counted(&[1, 2, 2, 3]))
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "SAME");
        assert_eq!(refused(op), invalid);
    }

    #[test]
    fn gradients_by_hand() {
        let op = |name| {
            OpTest::new(register, name)
                .attr("strides", vec![1i64, 2, 2, 1])
                .attr("padding", "VALID")
        };
        let dx = op("Conv2DBackpropInput")
            .input(Tensor::vector(&[1i32, 2, 3, 1]).unwrap())
            .input(counted(&[2, 1, 1, 1]))
            .input(counted(&[1, 1, 2, 1]))
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap(), &[1.0, 0.0, 2.0, 2.0, 0.0, 4.0]);
        let dw = op("Conv2DBackpropFilter")
            .input(counted(&[1, 2, 3, 1]))
            .input(Tensor::vector(&[2i32, 1, 1, 1]).unwrap())
            .input(counted(&[1, 1, 2, 1]))
            .run_one()
            .unwrap();
        assert_eq!(dw.as_slice::<f32>().unwrap(), &[7.0, 16.0]);
    }
}
