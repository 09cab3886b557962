//! Reading and writing many elements of a tensor array: gather and scatter, concat and split.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::array::{TensorArray, input_array};
use super::array_access::gradient_array;
use crate::elements::{self, join, prepend, stack};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float) -> (value: dtype) \
         @stateful
            dtype: type
            element_shape: shape = {unknown_rank}",
        "TensorArrayGatherV2(handle: string, indices: int32, flow_in: float) -> (value: dtype)
            dtype: type
            element_shape: shape = {unknown_rank}",
        "TensorArrayGather(handle: Ref(string), indices: int32, flow_in: float) -> (value: dtype)
            dtype: type
            element_shape: shape = {unknown_rank}",
        "TensorArrayPack(handle: Ref(string), flow_in: float) -> (value: dtype)
            dtype: type
            element_shape: shape = {unknown_rank}",
    ] {
        let mut spec = OpSpec::new(signature)?.shape(gather_shape);
        if spec.def.inputs.len() == 3 {
            spec = spec.gradient(gather_gradient);
        }
        registry.add(spec, |build| {
            Ok(KernelBox::new(Gather {
                dtype: build.dtype("dtype")?,
                element_shape: build.shape("element_shape")?,
            }))
        })?;
    }
    for signature in [
        "TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float) \
         -> (flow_out: float) @stateful
            T: type",
        "TensorArrayScatterV2(handle: string, indices: int32, value: T, flow_in: float) \
         -> (flow_out: float)
            T: type",
        "TensorArrayScatter(handle: Ref(string), indices: int32, value: T, flow_in: float) \
         -> (flow_out: float)
            T: type",
        "TensorArrayUnpack(handle: Ref(string), value: T, flow_in: float) -> (flow_out: float)
            T: type",
    ] {
        let mut spec = OpSpec::new(signature)?.shape(flow_shape);
        if spec.def.inputs.len() == 4 {
            spec = spec.gradient(scatter_gradient);
        }
        registry.add(spec, |_| Ok(KernelBox::function(scatter)))?;
    }
    for signature in [
        "TensorArrayConcatV3(handle: resource, flow_in: float) -> (value: dtype, lengths: int64) \
         @stateful
            dtype: type
            element_shape_except0: shape = {unknown_rank}",
        "TensorArrayConcatV2(handle: string, flow_in: float) -> (value: dtype, lengths: int64)
            dtype: type
            element_shape_except0: shape = {unknown_rank}",
        "TensorArrayConcat(handle: Ref(string), flow_in: float) -> (value: dtype, lengths: int64)
            dtype: type
            element_shape_except0: shape = {unknown_rank}",
    ] {
        let spec = OpSpec::new(signature)?.shape(concat_shape).gradient(concat_gradient);
        registry.add(spec, |build| {
            Ok(KernelBox::new(Concat {
                dtype: build.dtype("dtype")?,
                element_shape_except0: build.shape("element_shape_except0")?,
            }))
        })?;
    }
    for signature in [
        "TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float) \
         -> (flow_out: float) @stateful
            T: type",
        "TensorArraySplitV2(handle: string, value: T, lengths: int64, flow_in: float) \
         -> (flow_out: float)
            T: type",
        "TensorArraySplit(handle: Ref(string), value: T, lengths: int64, flow_in: float) \
         -> (flow_out: float)
            T: type",
    ] {
        let spec = OpSpec::new(signature)?.shape(flow_shape).gradient(split_gradient);
        registry.add(spec, |_| Ok(KernelBox::function(split)))?;
    }
    Ok(())
}

fn flow_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

fn gather_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rows = match cx.inputs().len() {
        3 => cx.with_rank(1, 1)?,
        _ => PartialShape::vector(None),
    };
    let shape = rows.concat(&cx.node().shape("element_shape")?);
    cx.set_output(0, shape);
    Ok(())
}

fn concat_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let inner = cx.node().shape("element_shape_except0")?;
    cx.set_output(0, PartialShape::vector(None).concat(&inner));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

struct Gather {
    dtype: DataType,
    element_shape: PartialShape,
}

impl Kernel for Gather {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let array = input_array(cx)?;
        array.check_read(self.dtype)?;
        array.merge_element_shape(&self.element_shape)?;
        let indices: Vec<i32> = if cx.inputs_len() == 2 {
            (0..array.packed_size()? as i32).collect()
        } else {
            indices(cx)?
        };
        if indices.is_empty() {
            let element = self.element_shape.to_shape().ok_or_else(|| {
                Status::unimplemented(format!(
                    "TensorArray has size zero, but element shape {} is not fully defined. \
                     Currently only static shapes are supported when packing zero-size \
                     TensorArrays.",
                    self.element_shape
                ))
            })?;
            cx.set_output(0, Tensor::zeros(self.dtype, prepend(0, &element))?);
            return Ok(());
        }
        let values = array.read(indices)?;
        let first = values[0].shape();
        if !self.element_shape.allows(first) {
            return Err(Status::invalid_argument(format!(
                "TensorArray was passed element_shape {} which does not match the Tensor at index \
                 0: {first}",
                self.element_shape
            )));
        }
        if let Some(i) = values.iter().position(|v| v.shape() != first) {
            return Err(Status::invalid_argument(format!(
                "TensorArray has inconsistent shapes.  Index 0 has shape: {first} but index {i} \
                 has shape: {}",
                values[i].shape()
            )));
        }
        let stacked = stack(self.dtype, first, &values)?;
        cx.set_output(0, stacked);
        Ok(())
    }
}

fn indices(cx: &OpContext<'_>) -> Result<Vec<i32>> {
    let indices = cx.input(1);
    if indices.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected indices to be a vector, but received shape: {}",
            indices.shape()
        )));
    }
    Ok(indices.as_slice::<i32>()?.to_vec())
}

fn scatter(cx: &mut OpContext<'_>) -> Result<()> {
    let array = input_array(cx)?;
    let is_unpack = cx.inputs_len() == 3;
    let at = if is_unpack { 1 } else { 2 };
    let value = cx.input(at).clone();
    array.check_write(value.dtype())?;
    let Some(&rows) = value.dims().first() else {
        return Err(Status::invalid_argument(format!(
            "Input value for unpack must be at least a vector but received shape: {}",
            value.shape()
        )));
    };
    let rows32 = i32::try_from(rows)
        .map_err(|_| Status::invalid_argument("tensor dim0 too large to unpack"))?;
    let indices: Vec<i32> = if is_unpack { (0..rows32).collect() } else { indices(cx)? };
    if indices.len() != rows {
        return Err(Status::invalid_argument(format!(
            "Expected len(indices) == values.shape[0], but saw: {} vs. {rows}",
            indices.len()
        )));
    }
    let largest = indices.iter().copied().max().unwrap_or(-1);
    let mut size = array.size()? as i64;
    if array.has_dynamic_size() {
        size = size.max(largest as i64 + 1);
    }
    if is_unpack && rows as i64 != size {
        return Err(Status::invalid_argument(format!(
            "Input value must have first dimension equal to the array size ({rows} vs. {size})"
        )));
    }
    if !is_unpack && largest as i64 >= size {
        return Err(Status::invalid_argument(format!(
            "Max scatter index must be < array size ({largest} vs. {size})"
        )));
    }
    let values = (0..rows).map(|i| elements::row(&value, i)).collect::<Result<Vec<_>>>()?;
    if is_unpack {
        array.set_marked_size(rows)?;
    }
    array.write(indices.into_iter().zip(values))?;
    let flow = cx.take(at + 1);
    cx.set_output(0, flow);
    Ok(())
}

struct Concat {
    dtype: DataType,
    element_shape_except0: PartialShape,
}

impl Kernel for Concat {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let array = input_array(cx)?;
        array.check_read(self.dtype)?;
        let size = array.packed_size()?;
        if size == 0 {
            let inner = self.element_shape_except0.to_shape().ok_or_else(|| {
                Status::unimplemented(format!(
                    "TensorArray has size zero, but element_shape_except0 {} is not fully \
                     defined. Currently only static shapes are supported when concatenating \
                     zero-size TensorArrays.",
                    self.element_shape_except0
                ))
            })?;
            cx.set_output(0, Tensor::zeros(self.dtype, prepend(0, &inner))?);
            cx.set_output(1, Tensor::vector::<i64>(&[])?);
            return Ok(());
        }
        let values = array.read(0..size as i32)?;
        let (shape, lengths) = self.joined_shape(&values)?;
        cx.set_output(0, join(self.dtype, shape, &values)?);
        cx.set_output(1, Tensor::vector(&lengths)?);
        Ok(())
    }
}

impl Concat {
    fn joined_shape(&self, values: &[Tensor]) -> Result<(Shape, Vec<i64>)> {
        let mut lengths = Vec::with_capacity(values.len());
        let mut inner: Option<&[usize]> = None;
        for (i, value) in values.iter().enumerate() {
            let Some((&length, rest)) = value.dims().split_first() else {
                return Err(Status::invalid_argument(format!(
                    "Concat saw a scalar shape at index {i} but requires at least vectors.  Did \
                     you mean to call pack?"
                )));
            };
            match inner {
                None if !self.element_shape_except0.allows(rest) => {
                    return Err(Status::invalid_argument(format!(
                        "TensorArray was passed element_shape_except0 {} but index 0 has \
                         (excepting dimension 0) shape: {} which does not match.",
                        self.element_shape_except0,
                        Shape::from(rest)
                    )));
                }
                None => inner = Some(rest),
                Some(first) if first != rest => {
                    return Err(Status::invalid_argument(format!(
                        "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension \
                         0) shape: {} but index {i} has (excepting dimension 0) shape: {}",
                        Shape::from(first),
                        Shape::from(rest)
                    )));
                }
                Some(_) => {}
            }
            lengths.push(length as i64);
        }
        let total = lengths.iter().sum::<i64>() as usize;
        Ok((prepend(total, &Shape::from(inner.unwrap_or_default())), lengths))
    }
}

fn split(cx: &mut OpContext<'_>) -> Result<()> {
    let array = input_array(cx)?;
    let value = cx.input(1).clone();
    let lengths = cx.input(2);
    if lengths.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected lengths to be a vector, received shape: {}",
            lengths.shape()
        )));
    }
    let lengths = lengths.as_slice::<i64>()?;
    let Some(&rows) = value.dims().first() else {
        return Err(Status::invalid_argument(format!(
            "Expected value to be at least a vector, but received shape: {}",
            value.shape()
        )));
    };
    let total = lengths.iter().try_fold(0i64, |sum, &l| sum.checked_add(l).filter(|_| l >= 0));
    if total != Some(rows as i64) {
        return Err(Status::invalid_argument(format!(
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {} and \
             value's shape is: {}",
            lengths.iter().fold(0i64, |sum, &l| sum.wrapping_add(l)),
            value.shape()
        )));
    }
    check_split_size(&array, lengths.len())?;
    array.check_write(value.dtype())?;
    let mut start = 0;
    let mut parts = Vec::with_capacity(lengths.len());
    for (i, &length) in lengths.iter().enumerate() {
        let end = start + length as usize;
        parts.push((i as i32, value.rows(start, end)?.deep_copy()?));
        start = end;
    }
    array.set_marked_size(parts.len())?;
    array.write(parts)?;
    let flow = cx.take(3);
    cx.set_output(0, flow);
    Ok(())
}

fn check_split_size(array: &TensorArray, parts: usize) -> Result<()> {
    let mut size = array.size()?;
    if array.has_dynamic_size() {
        size = size.max(parts);
    }
    if size == parts {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "TensorArray's size is not equal to the size of lengths ({size} vs. {parts}), and the \
         TensorArray is not marked as dynamically resizeable"
    )))
}

fn gather_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (flow, indices, grad) = (cx.input(2), cx.input(1), cx.grad(0)?);
    let (array, array_flow) = gradient_array(cx, flow)?;
    let written = cx.op("TensorArrayScatterV3", &[array, indices, grad, array_flow])?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::Dense(written)])
}

fn scatter_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let flow = cx.grad(0)?;
    let (array, array_flow) = gradient_array(cx, flow)?;
    let (indices, dtype) = (cx.input(1), cx.dtype(cx.input(2)));
    let grad = cx.op_with(
        "TensorArrayGatherV3",
        &[array, indices, array_flow],
        Attrs::new().with("dtype", dtype),
    )?;
    Ok(vec![Gradient::None, Gradient::None, Gradient::Dense(grad), Gradient::Dense(flow)])
}

fn concat_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (flow, lengths, grad) = (cx.input(1), cx.output(1), cx.grad(0)?);
    let (array, array_flow) = gradient_array(cx, flow)?;
    let written = cx.op("TensorArraySplitV3", &[array, grad, lengths, array_flow])?;
    Ok(vec![Gradient::None, Gradient::Dense(written)])
}

fn split_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let flow = cx.grad(0)?;
    let (array, array_flow) = gradient_array(cx, flow)?;
    let dtype = cx.dtype(cx.input(1));
    let concat = cx.node_with(
        "TensorArrayConcatV3",
        &[array, array_flow],
        Attrs::new().with("dtype", dtype),
    )?;
    Ok(vec![Gradient::None, Gradient::Dense(concat.into()), Gradient::None, Gradient::Dense(flow)])
}
