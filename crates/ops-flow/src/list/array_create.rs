//! TensorArray, its gradient arrays, size and close.

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry, STEP_CONTAINER};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::array::{ARRAYS, ArrayConfig, GRADIENTS, TensorArray, input_array};
use crate::handle::{Place, set_handle, unique_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "TensorArrayV3(size: int32) -> (handle: resource, flow: float) @stateful
            dtype: type
            element_shape: shape = {unknown_rank}
            dynamic_size: bool = false
            clear_after_read: bool = true
            identical_element_shapes: bool = false
            tensor_array_name: string = ''",
        "TensorArrayV2(size: int32) -> (handle: string) @stateful
            dtype: type
            element_shape: shape = {unknown_rank}
            dynamic_size: bool = false
            clear_after_read: bool = true
            tensor_array_name: string = ''",
        "TensorArray(size: int32) -> (handle: Ref(string)) @stateful
            dtype: type
            dynamic_size: bool = false
            clear_after_read: bool = true
            tensor_array_name: string = ''
            element_shape: shape = {unknown_rank}",
    ] {
        let spec = OpSpec::new(signature)?.shape(create_shape).not_differentiable();
        registry.add(spec, make_create)?;
    }
    for signature in [
        "TensorArrayGradV3(handle: resource, flow_in: float) \
         -> (grad_handle: resource, flow_out: float) @stateful
            source: string",
        "TensorArrayGradWithShape(handle: resource, flow_in: float, shape_to_prepend: int32) \
         -> (grad_handle: resource, flow_out: float) @stateful
            source: string",
        "TensorArrayGradV2(handle: string, flow_in: float) -> (grad_handle: string) @stateful
            source: string",
        "TensorArrayGrad(handle: string, flow_in: float) -> (grad_handle: Ref(string)) @stateful
            source: string",
    ] {
        registry
            .add(OpSpec::new(signature)?.shape(handle_shape).not_differentiable(), |build| {
                Ok(KernelBox::new(CreateGradient { source: build.string("source")? }))
            })?;
    }
    for signature in [
        "TensorArraySizeV3(handle: resource, flow_in: float) -> (size: int32) @stateful",
        "TensorArraySizeV2(handle: string, flow_in: float) -> (size: int32)",
        "TensorArraySize(handle: Ref(string), flow_in: float) -> (size: int32)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(size)))?;
    }
    for signature in [
        "TensorArrayCloseV3(handle: resource) -> () @stateful",
        "TensorArrayCloseV2(handle: string) -> ()",
        "TensorArrayClose(handle: Ref(string)) -> ()",
    ] {
        let spec = OpSpec::new(signature)?.not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::cheap(close)))?;
    }
    Ok(())
}

fn create_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    handle_shape(cx)
}

fn handle_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let is_resource = cx.node().output_dtype(0) == DataType::Resource;
    cx.set_output(
        0,
        if is_resource { PartialShape::scalar() } else { PartialShape::vector(Some(2)) },
    );
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

struct Create {
    dtype: DataType,
    element_shape: PartialShape,
    identical_shapes: bool,
    dynamic_size: bool,
    clear_after_read: bool,
    name: String,
}

fn make_create(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let name = build.string("tensor_array_name")?;
    Ok(KernelBox::new(Create {
        dtype: build.dtype("dtype")?,
        element_shape: build.shape("element_shape")?,
        identical_shapes: build.bool("identical_element_shapes").unwrap_or(false),
        dynamic_size: build.bool("dynamic_size")?,
        clear_after_read: build.bool("clear_after_read")?,
        name: if name.is_empty() { build.name.clone() } else { name },
    }))
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let size = cx.input(0);
        if size.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "TensorArray size must be scalar, but had shape: {}",
                size.shape()
            )));
        }
        let size = usize::try_from(size.to_scalar::<i32>()?)
            .map_err(|_| Status::invalid_argument("Size should be >= 0."))?;
        let name = format!("{}_{}", self.name, unique_number());
        let array = TensorArray::new(ArrayConfig {
            name: name.clone(),
            dtype: self.dtype,
            size,
            element_shape: self.element_shape.clone(),
            identical_shapes: self.identical_shapes,
            dynamic_size: self.dynamic_size,
            clear_after_read: self.clear_after_read,
        })?;
        cx.step().local().create(STEP_CONTAINER, &format!("{ARRAYS}{name}"), array)?;
        set_outputs(cx, ARRAYS, &name)
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn set_outputs(cx: &mut OpContext<'_>, container: &str, name: &str) -> Result<()> {
    let place = match cx.node().output_dtype(0) {
        DataType::Resource => {
            Place { container: STEP_CONTAINER.into(), name: format!("{container}{name}") }
        }
        _ => Place { container: container.into(), name: name.into() },
    };
    set_handle::<TensorArray>(cx, &place)?;
    if cx.node().output_types.len() == 2 {
        cx.set_output(1, Tensor::scalar(0f32));
    }
    Ok(())
}

/// Finds or makes the array that collects gradients of an array for one gradient computation,
/// which `source` names.
struct CreateGradient {
    source: String,
}

impl Kernel for CreateGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let array = input_array(cx)?;
        let prefix = match cx.inputs_len() > 2 {
            true => Some(Shape::from_i64(&cx.input(2).to_i64_vec()?)?),
            false => None,
        };
        let name = format!("{}@{}", array.name, self.source);
        let key = format!("{GRADIENTS}{name}");
        let local = cx.step().local();
        if local.lookup::<TensorArray>(STEP_CONTAINER, &key).is_err() {
            let made = array.gradient(name.clone(), prefix.as_ref())?;
            local.lookup_or_create(STEP_CONTAINER, &key, || Ok(made))?;
        }
        set_outputs(cx, GRADIENTS, &name)
    }
}

fn size(cx: &mut OpContext<'_>) -> Result<()> {
    let size = input_array(cx)?.size()?;
    cx.set_output(0, Tensor::scalar(size as i32));
    Ok(())
}

fn close(cx: &mut OpContext<'_>) -> Result<()> {
    input_array(cx)?.close();
    Ok(())
}
