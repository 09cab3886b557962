//! One element of a tensor list: get, set, push, pop.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::tensor_list::{
    TensorList, changed, element_shape, inferred_shape, list, of_type, scalar_i32, shape_input,
};
use crate::elements::{self, merge_shapes};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "TensorListGetItem(input_handle: variant, index: int32, element_shape: Tshape) \
             -> (item: element_dtype)
                element_dtype: type
                Tshape: {int32, int64} = int32",
        )?
        .shape(get_shape)
        .gradient(get_gradient),
        |build| Ok(KernelBox::new(Get(build.dtype("element_dtype")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListSetItem(input_handle: variant, index: int32, item: element_dtype) \
             -> (output_handle: variant)
                element_dtype: type
                resize_if_index_out_of_bounds: bool = false",
        )?
        .shape(shapes::scalar)
        .gradient(set_gradient),
        |build| {
            Ok(KernelBox::new(Set {
                dtype: build.dtype("element_dtype")?,
                resize: build.bool("resize_if_index_out_of_bounds")?,
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "TensorListPushBack(input_handle: variant, tensor: element_dtype) \
             -> (output_handle: variant)
                element_dtype: type",
        )?
        .shape(shapes::scalar)
        .gradient(push_gradient),
        |build| Ok(KernelBox::new(Push(build.dtype("element_dtype")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListPopBack(input_handle: variant, element_shape: int32) \
             -> (output_handle: variant, tensor: element_dtype)
                element_dtype: type",
        )?
        .shape(pop_shape)
        .gradient(pop_gradient),
        |build| Ok(KernelBox::new(Pop(build.dtype("element_dtype")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListPushBackBatch(input_handles: variant, tensor: element_dtype) \
             -> (output_handles: variant)
                element_dtype: type",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(PushBatch(build.dtype("element_dtype")?))),
    )
}

fn get_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = inferred_shape(cx, 2)?;
    cx.set_output(0, shape);
    Ok(())
}

fn pop_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::scalar());
    let shape = inferred_shape(cx, 1)?;
    cx.set_output(1, shape);
    Ok(())
}

struct Get(DataType);

impl Kernel for Get {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let list = list(cx.input(0))?;
        list.check_dtype(self.0)?;
        let index = scalar_i32(cx, 1)?;
        let item =
            usize::try_from(index).ok().and_then(|i| list.items.get(i)).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Trying to access element {index} in a list with {} elements.",
                    list.items.len()
                ))
            })?;
        let value = match item {
            Some(tensor) => tensor.clone(),
            None => {
                let mut shape = merge_shapes(&shape_input(cx, 2)?, &list.element_shape)?;
                if !shape.is_fully_known() {
                    for other in list.items.iter().flatten() {
                        shape = merge_shapes(&shape, &other.shape().into())?;
                    }
                }
                let known = shape.to_shape().ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "Trying to read an uninitialized tensor but element_shape is not fully \
                         defined: {shape} and no list element is set."
                    ))
                })?;
                Tensor::zeros(self.0, known)?
            }
        };
        cx.set_output(0, value);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct Set {
    dtype: DataType,
    resize: bool,
}

impl Kernel for Set {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let seen = list(cx.input(0))?;
        seen.check_dtype(self.dtype)?;
        let index = cx.input(1);
        if index.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "Expected argument 1 to be a scalar. Received {}",
                index.shape()
            )));
        }
        let index = index.to_scalar::<i32>()?;
        if !seen.element_shape.allows(cx.input(2).dims()) {
            return Err(Status::invalid_argument(format!(
                "Tried to set a tensor with incompatible shape at a list index. Item element \
                 shape: {} list shape: {}",
                cx.input(2).shape(),
                seen.element_shape
            )));
        }
        let length = seen.items.len();
        let at = usize::try_from(index).ok().filter(|&i| self.resize || i < length);
        let at = at.ok_or_else(|| {
            Status::invalid_argument(format!(
                "Trying to modify element {index} in a list with {length} elements."
            ))
        })?;
        let value = cx.take(2);
        let added = value.variant_depth();
        let output = changed(cx.take(0), added, |list| {
            if at >= list.items.len() {
                list.resize(at + 1)?;
            }
            list.items[at] = Some(value);
            Ok(())
        })?;
        cx.set_output(0, output);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct Push(DataType);

impl Kernel for Push {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (seen, value) = (list(cx.input(0))?, cx.input(1));
        if !seen.element_shape.allows(value.dims()) {
            return Err(Status::invalid_argument(format!(
                "Tried to append a tensor with incompatible shape to a list. Op element shape: {} \
                 list shape: {}",
                value.shape(),
                seen.element_shape
            )));
        }
        seen.check_dtype(self.0)?;
        let length = seen.items.len();
        if usize::try_from(seen.max_length).is_ok_and(|most| length >= most) {
            return Err(Status::invalid_argument(format!(
                "Tried to push item into a full list list size: {length} max_num_elements: {}",
                seen.max_length
            )));
        }
        let value = cx.take(1);
        let added = value.variant_depth();
        let output = changed(cx.take(0), added, |list| list.items.push(Some(value)))?;
        cx.set_output(0, output);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct Pop(DataType);

impl Kernel for Pop {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let seen = list(cx.input(0))?;
        seen.check_dtype(self.0)?;
        let missing = match seen.items.last() {
            None => return Err(Status::invalid_argument("Trying to pop from an empty list.")),
            Some(Some(_)) => None,
            Some(None) => {
                let shape = merge_shapes(&shape_input(cx, 1)?, &seen.element_shape)?;
                Some(shape.to_shape().ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "Trying to read an uninitialized tensor but element_shape is not fully \
                         defined.{shape}"
                    ))
                })?)
            }
        };
        let mut popped = None;
        let output = changed(cx.take(0), 0, |list| {
            popped = list.items.pop().flatten();
            Ok(())
        })?;
        let value = match popped {
            Some(tensor) => tensor,
            None => Tensor::zeros(self.0, missing.unwrap_or_default())?,
        };
        cx.set_output(0, output);
        cx.set_output(1, value);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

/// Pushes row i of a tensor to list i.
struct PushBatch(DataType);

impl Kernel for PushBatch {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (handles, tensor) = (cx.input(0), cx.input(1));
        let Some((&rows, inner)) = tensor.dims().split_first() else {
            return Err(Status::invalid_argument(format!(
                "Expected tensor to be at least a vector, but saw shape: {}",
                tensor.shape()
            )));
        };
        if handles.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "Expected input_handles to be a vector, but saw shape: {}",
                handles.shape()
            )));
        }
        if handles.len() != rows {
            return Err(Status::invalid_argument(format!(
                "Expected tensor.shape[0] == input_handles.size, but saw {rows} vs. {}",
                handles.len()
            )));
        }
        let variants = handles.variants()?;
        let lists = Tensor::build_variants([rows], |i| {
            let variant = &variants[i];
            let list = variant.get::<TensorList>().ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Input handle at index {i} is not a list. Saw: '{variant:?}'"
                ))
            })?;
            if !list.element_shape.allows(inner) {
                return Err(Status::invalid_argument(format!(
                    "Tried to append a tensor with incompatible shape to a list at index {i}. Op \
                     element shape: {} list shape: {}",
                    Shape::from(inner),
                    list.element_shape
                )));
            }
            if list.dtype != self.0 {
                return Err(Status::invalid_argument(format!(
                    "Invalid data type at index {i}; op elements {} but list elements {}",
                    self.0, list.dtype
                )));
            }
            let mut longer = list.try_clone()?;
            longer.items.push(Some(elements::row(tensor, i)?))?;
            downpour_tensor::Variant::new(longer)
        })?;
        cx.set_output(0, lists);
        Ok(())
    }
}

fn get_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (list, index, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let dtype = cx.dtype(grad);
    let length = cx.op("TensorListLength", &[list])?;
    let shape = element_shape(cx, list)?;
    let empty = cx.op_with("TensorListReserve", &[shape, length], of_type(dtype))?;
    let set = cx.op("TensorListSetItem", &[empty, index, grad])?;
    Ok(vec![Gradient::Dense(set), Gradient::None, Gradient::None])
}

fn set_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (index, item, grad) = (cx.input(1), cx.input(2), cx.grad(0)?);
    let zeros = cx.op("ZerosLike", &[item])?;
    let list = cx.op("TensorListSetItem", &[grad, index, zeros])?;
    let (shape, dtype) = (cx.shape(item)?, cx.dtype(item));
    let element = cx.op_with("TensorListGetItem", &[grad, index, shape], of_type(dtype))?;
    Ok(vec![Gradient::Dense(list), Gradient::None, Gradient::Dense(element)])
}

fn push_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (item, grad) = (cx.input(1), cx.grad(0)?);
    let (shape, dtype) = (cx.shape(item)?, cx.dtype(item));
    let node = cx.node_with("TensorListPopBack", &[grad, shape], of_type(dtype))?;
    let element = downpour_graph::Endpoint { node, port: 1 };
    Ok(vec![Gradient::Dense(node.into()), Gradient::Dense(element)])
}

fn pop_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let element = cx.grad(1)?;
    let list = if cx.has_grad(0) {
        cx.grad(0)?
    } else {
        let (dtype, output) = (cx.dtype(element), cx.output(0));
        let shape = element_shape(cx, output)?;
        let unlimited = cx.scalar(-1i32)?;
        cx.op_with("EmptyTensorList", &[shape, unlimited], of_type(dtype))?
    };
    let pushed = cx.op("TensorListPushBack", &[list, element])?;
    Ok(vec![Gradient::Dense(pushed), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::CountedVec;

    fn list_of(values: &[Option<i32>]) -> Tensor {
        let mut list = TensorList::new(DataType::Int32, PartialShape::unknown());
        let items = values.iter().map(|v| v.map(Tensor::scalar)).collect();
        list.items = CountedVec::from_vec(items).unwrap();
        list.into_tensor().unwrap()
    }

    fn get(list: Tensor, index: i32) -> Result<Tensor> {
        OpTest::new(register, "TensorListGetItem")
            .attr("element_dtype", DataType::Int32)
            .input(list)
            .input(Tensor::scalar(index))
            .input(Tensor::scalar(-1i32))
            .run_one()
    }

    #[test]
    fn unset_elements_read_as_zeros_of_the_others_shape() {
        let l = list_of(&[Some(4), None]);
        assert_eq!(get(l.clone(), 0).unwrap().to_scalar::<i32>().unwrap(), 4);
        assert_eq!(get(l.clone(), 1).unwrap().to_scalar::<i32>().unwrap(), 0);
        for index in [2, -1] {
            let error = get(l.clone(), index).unwrap_err();
            let expected = format!("Trying to access element {index} in a list with 2 elements");
            assert!(error.message().contains(&expected));
        }
        let error = get(list_of(&[None]), 0).unwrap_err();
        assert!(error.message().contains("uninitialized tensor but element_shape is not fully"));
    }

    #[test]
    fn setting_out_of_bounds_needs_leave() {
        let set = |index: i32, resize: bool| {
            OpTest::new(register, "TensorListSetItem")
                .attr("resize_if_index_out_of_bounds", resize)
                .input(list_of(&[Some(4)]))
                .input(Tensor::scalar(index))
                .input(Tensor::scalar(9i32))
                .run_one()
        };
        assert_eq!(get(set(0, false).unwrap(), 0).unwrap().to_scalar::<i32>().unwrap(), 9);
        assert!(set(1, false).unwrap_err().message().contains("Trying to modify element 1"));
        assert_eq!(list(&set(2, true).unwrap()).unwrap().items.len(), 3);
        assert!(set(-1, true).is_err());
    }

    #[test]
    fn last_in_first_out() {
        let pushed = OpTest::new(register, "TensorListPushBack")
            .input(list_of(&[Some(1)]))
            .input(Tensor::scalar(2i32))
            .run_one()
            .unwrap();
        let pop = |l: Tensor| {
            OpTest::new(register, "TensorListPopBack")
                .attr("element_dtype", DataType::Int32)
                .input(l)
                .input(Tensor::scalar(-1i32))
                .run()
        };
        let out = pop(pushed).unwrap();
        assert_eq!(out[1].to_scalar::<i32>().unwrap(), 2);
        assert_eq!(list(&out[0]).unwrap().items.len(), 1);
        let error = pop(list_of(&[])).unwrap_err();
        assert!(error.message().contains("Trying to pop from an empty list"));
    }

    #[test]
    fn full_lists_refuse() {
        let mut full = TensorList::new(DataType::Int32, PartialShape::unknown());
        full.max_length = 0;
        let error = OpTest::new(register, "TensorListPushBack")
            .input(full.into_tensor().unwrap())
            .input(Tensor::scalar(2i32))
            .run_one()
            .unwrap_err();
        assert!(error.message().contains("Tried to push item into a full list"));
    }
}
