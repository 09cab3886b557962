//! Reading and writing one element of a tensor array.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use super::array::input_array;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float) \
         -> (flow_out: float) @stateful
            T: type",
        "TensorArrayWriteV2(handle: string, index: int32, value: T, flow_in: float) \
         -> (flow_out: float)
            T: type",
        "TensorArrayWrite(handle: Ref(string), index: int32, value: T, flow_in: float) \
         -> (flow_out: float)
            T: type",
    ] {
        let spec = OpSpec::new(signature)?.shape(flow_shape).gradient(write_gradient);
        registry.add(spec, |_| Ok(KernelBox::cheap(write)))?;
    }
    for signature in [
        "TensorArrayReadV3(handle: resource, index: int32, flow_in: float) -> (value: dtype) \
         @stateful
            dtype: type",
        "TensorArrayReadV2(handle: string, index: int32, flow_in: float) -> (value: dtype)
            dtype: type",
        "TensorArrayRead(handle: Ref(string), index: int32, flow_in: float) -> (value: dtype)
            dtype: type",
    ] {
        registry
            .add(OpSpec::new(signature)?.shape(read_shape).gradient(read_gradient), |build| {
                Ok(KernelBox::new(Read(build.dtype("dtype")?)))
            })?;
    }
    Ok(())
}

/// A scalar index, and the flow handed on.
fn flow_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

fn read_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    Ok(())
}

fn index(cx: &OpContext<'_>) -> Result<i32> {
    let index = cx.input(1);
    if index.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "TensorArray index must be scalar, but had shape: {}",
            index.shape()
        )));
    }
    index.to_scalar()
}

fn write(cx: &mut OpContext<'_>) -> Result<()> {
    let array = input_array(cx)?;
    let index = index(cx)?;
    let value = cx.take(2);
    array.check_write(value.dtype())?;
    array.write([(index, value)])?;
    let flow = cx.take(3);
    cx.set_output(0, flow);
    Ok(())
}

struct Read(DataType);

impl Kernel for Read {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let array = input_array(cx)?;
        let index = index(cx)?;
        array.check_read(self.0)?;
        let mut values = array.read([index])?;
        let value = values.pop().ok_or_else(|| Status::internal("one index reads one value"))?;
        cx.set_output(0, value);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

/// The array collecting gradients of the array in input 0, and the flow after it was made.
///
/// All arrays of one gradient computation share the source, and no other's: their sums must not mix.
pub(crate) fn gradient_array(
    cx: &mut GradientContext<'_, '_>,
    flow: downpour_graph::Endpoint,
) -> Result<(downpour_graph::Endpoint, downpour_graph::Endpoint)> {
    let handle = cx.input(0);
    let source = cx.source();
    let node =
        cx.node_with("TensorArrayGradV3", &[handle, flow], Attrs::new().with("source", source))?;
    Ok((node.into(), downpour_graph::Endpoint { node, port: 1 }))
}

fn write_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let flow = cx.grad(0)?;
    let (array, array_flow) = gradient_array(cx, flow)?;
    let dtype = cx.dtype(cx.input(2));
    let index = cx.input(1);
    let grad = cx.op_with(
        "TensorArrayReadV3",
        &[array, index, array_flow],
        Attrs::new().with("dtype", dtype),
    )?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::Dense(grad), Gradient::Dense(flow)])
}

fn read_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (flow, index, grad) = (cx.input(2), cx.input(1), cx.grad(0)?);
    let (array, array_flow) = gradient_array(cx, flow)?;
    let written = cx.op("TensorArrayWriteV3", &[array, index, grad, array_flow])?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::Dense(written)])
}
