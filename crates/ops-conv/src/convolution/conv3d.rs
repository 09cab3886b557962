//! Conv3D and its gradients.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::Result;

use super::tensors::{Label, convolve, filter_gradient_of, input_gradient_of};
use super::{shapes, sizes_input};
use crate::gradients::picked;
use crate::window::WindowAttributes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Conv3D(input: T, filter: T) -> (output: T)
                T: {half, bfloat16, float, double}
                strides: list(int) >= 5
                padding: {'SAME', 'VALID'}
                data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
                dilations: list(int) = [1, 1, 1, 1, 1]",
        )?
        .shape(|cx| shapes::convolution(cx, 3))
        .gradient(forward_gradient)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Forward(WindowAttributes::of(build, 3)?))),
    )?;
    for signature in [
        "Conv3DBackpropInput(input: T, filter: T, out_backprop: T) -> (output: T)
            T: {half, float, double}
            strides: list(int) >= 5
            padding: {'SAME', 'VALID'}
            dilations: list(int) = [1, 1, 1, 1, 1]",
        "Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T) -> (output: T)
            T: {half, bfloat16, float, double}
            strides: list(int) >= 5
            padding: {'SAME', 'VALID'}
            data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
            dilations: list(int) = [1, 1, 1, 1, 1]
            Tshape: {int32, int64} = int32",
    ] {
        let spec = OpSpec::new(signature)?
            .shape(|cx| shapes::sizes_or_shape(cx, 0, 5))
            .gradient(input_gradient_rule)
            .tolerance(1e-5);
        registry.add(spec, |build| Ok(KernelBox::new(InputGradient(Pass::of(build)?))))?;
    }
    for signature in [
        "Conv3DBackpropFilter(input: T, filter: T, out_backprop: T) -> (output: T)
            T: {half, float, double}
            strides: list(int) >= 5
            padding: {'SAME', 'VALID'}
            dilations: list(int) = [1, 1, 1, 1, 1]",
        "Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T) -> (output: T)
            T: {half, bfloat16, float, double}
            strides: list(int) >= 5
            padding: {'SAME', 'VALID'}
            data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'
            dilations: list(int) = [1, 1, 1, 1, 1]",
    ] {
        let spec = OpSpec::new(signature)?
            .shape(|cx| shapes::sizes_or_shape(cx, 1, 5))
            .gradient(filter_gradient_rule)
            .tolerance(1e-5);
        registry.add(spec, |build| Ok(KernelBox::new(FilterGradient(Pass::of(build)?))))?;
    }
    Ok(())
}

struct Forward(WindowAttributes);

impl Kernel for Forward {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let label = Label { operation: "Conv3D", spatial: 3 };
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
        let by_sizes = build.op_name().ends_with("V2");
        Ok(Pass { window: WindowAttributes::of(build, 3)?, by_sizes })
    }
}

struct InputGradient(Pass);

impl Kernel for InputGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let label = Label { operation: "Conv3DBackpropInput", spatial: 3 };
        let input = match self.0.by_sizes {
            true => sizes_input(label.operation, "input_sizes", cx.input(0))?,
            false => cx.input(0).shape().clone(),
        };
        let (filter, grad) = (cx.input(1), cx.input(2));
        let output = input_gradient_of(label, &self.0.window, &input, filter, grad, cx.parallel())?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct FilterGradient(Pass);

impl Kernel for FilterGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let label = Label { operation: "Conv3DBackpropFilter", spatial: 3 };
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

fn shared(cx: &GradientContext<'_, '_>) -> Attrs {
    picked(cx.node(), &["strides", "padding", "data_format", "dilations"])
}

fn forward_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (x, w, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let (x_shape, w_shape) = (cx.shape(x)?, cx.shape(w)?);
    let attrs = shared(cx);
    let dx = cx.op_with("Conv3DBackpropInputV2", &[x_shape, w, grad], attrs.clone())?;
    let dw = cx.op_with("Conv3DBackpropFilterV2", &[x, w_shape, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::Dense(dw)])
}

fn input_gradient_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (w, dy, grad) = (cx.input(1), cx.input(2), cx.grad(0)?);
    let w_shape = cx.shape(w)?;
    let attrs = shared(cx);
    let dw = cx.op_with("Conv3DBackpropFilterV2", &[grad, w_shape, dy], attrs.clone())?;
    let ddy = cx.op_with("Conv3D", &[grad, w], attrs)?;
    Ok(vec![Gradient::None, Gradient::Dense(dw), Gradient::Dense(ddy)])
}

fn filter_gradient_rule(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (x, dy, grad) = (cx.input(0), cx.input(2), cx.grad(0)?);
    let x_shape = cx.shape(x)?;
    let attrs = shared(cx);
    let dx = cx.op_with("Conv3DBackpropInputV2", &[x_shape, grad, dy], attrs.clone())?;
    let ddy = cx.op_with("Conv3D", &[x, grad], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::Dense(ddy)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn a_cube_sums_up() {
        let op = |name| {
            OpTest::new(register, name)
                .attr("strides", vec![1i64, 1, 1, 1, 1])
                .attr("padding", "VALID")
        };
        let ones =
            |dims: &[usize]| Tensor::from_vec(dims, vec![1f32; dims.iter().product()]).unwrap();
        let y = op("Conv3D").input(ones(&[1, 3, 3, 3, 2])).input(ones(&[2, 2, 2, 2, 1]));
        let y = y.run_one().unwrap();
        assert_eq!(y.dims(), &[1, 2, 2, 2, 1]);
        assert_eq!(y.as_slice::<f32>().unwrap(), &[16.0; 8]);
        let dx = op("Conv3DBackpropInputV2")
            .input(Tensor::vector(&[1i32, 2, 1, 1, 1]).unwrap())
            .input(Tensor::from_vec([1, 1, 1, 1, 2], vec![2f32, 3.0]).unwrap())
            .input(ones(&[1, 2, 1, 1, 2]))
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap(), &[5.0, 5.0]);
        let empty = op("Conv3D").input(ones(&[1, 3, 3, 3, 2])).input(ones(&[2, 2, 0, 2, 1]));
        assert!(empty.run().is_err());
    }
}
