//! Making tensor lists: empty, reserved, from a tensor's rows or pieces.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::tensor_list::{TensorList, of_type, row_shape, shape_input};
use crate::elements;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "EmptyTensorList(element_shape: shape_type, max_num_elements: int32) -> (handle: variant)
                element_dtype: type
                shape_type: {int32, int64}",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Empty(build.dtype("element_dtype")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListReserve(element_shape: shape_type, num_elements: int32) -> (handle: variant)
                element_dtype: type
                shape_type: {int32, int64}",
        )?
        .shape(shapes::scalar)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Reserve(build.dtype("element_dtype")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListFromTensor(tensor: element_dtype, element_shape: shape_type) \
             -> (output_handle: variant)
                element_dtype: type
                shape_type: {int32, int64}",
        )?
        .shape(shapes::scalar)
        .gradient(from_tensor_gradient),
        |_| Ok(KernelBox::function(from_tensor)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListSplit(tensor: element_dtype, element_shape: shape_type, lengths: int64) \
             -> (output_handle: variant)
                element_dtype: type
                shape_type: {int32, int64}",
        )?
        .shape(shapes::scalar)
        .gradient(split_gradient),
        |_| Ok(KernelBox::function(split)),
    )
}

struct Empty(DataType);

impl Kernel for Empty {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let limit = cx.input(1);
        if limit.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "max_num_elements expected to be a scalar but got shape: {}",
                limit.shape()
            )));
        }
        let mut list = TensorList::new(self.0, shape_input(cx, 0)?);
        list.max_length = limit.to_scalar()?;
        cx.set_output(0, list.into_tensor()?);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

struct Reserve(DataType);

impl Kernel for Reserve {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let count = cx.input(1);
        if count.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "The num_elements to reserve must be a tensor size 1, but got {}",
                count.shape()
            )));
        }
        let count = count.to_scalar::<i32>()?;
        let length = usize::try_from(count).map_err(|_| {
            Status::invalid_argument(format!(
                "The num_elements to reserve must be a non negative number, but got {count}"
            ))
        })?;
        let mut list = TensorList::new(self.0, shape_input(cx, 0)?);
        list.resize(length)?;
        cx.set_output(0, list.into_tensor()?);
        Ok(())
    }
}

/// A tensor's rows and their shape, which must fit the shape input `i` asks for.
pub(crate) fn checked_rows(
    cx: &OpContext<'_>,
    tensor: &Tensor,
    shape: usize,
) -> Result<(usize, TensorList)> {
    let element_shape = shape_input(cx, shape)?;
    let Some((&rows, inner)) = tensor.dims().split_first() else {
        return Err(Status::invalid_argument(format!(
            "Tensor must be at least a vector, but saw shape: {}",
            tensor.shape()
        )));
    };
    if !element_shape.allows(inner) {
        return Err(Status::invalid_argument(format!(
            "Specified a list with shape {element_shape} from a tensor with shape {}",
            Shape::from(inner)
        )));
    }
    Ok((rows, TensorList::new(tensor.dtype(), element_shape)))
}

fn from_tensor(cx: &mut OpContext<'_>) -> Result<()> {
    let tensor = cx.input(0);
    let (rows, mut list) = checked_rows(cx, tensor, 1)?;
    list.resize(rows)?;
    for (i, item) in list.items.iter_mut().enumerate() {
        *item = Some(elements::row(tensor, i)?);
    }
    cx.set_output(0, list.into_tensor()?);
    Ok(())
}

fn split(cx: &mut OpContext<'_>) -> Result<()> {
    let (tensor, lengths) = (cx.input(0), cx.input(2));
    let element_shape = shape_input(cx, 1)?;
    if element_shape.rank() == Some(0) {
        return Err(Status::invalid_argument(format!(
            "TensorListSplit requires element_shape to be at least of rank 1, but saw: \
             {element_shape}"
        )));
    }
    let Some((&rows, inner)) = tensor.dims().split_first() else {
        return Err(Status::invalid_argument(format!(
            "Tensor must be at least a vector, but saw shape: {}",
            tensor.shape()
        )));
    };
    if let Some(rank) = element_shape.rank()
        && !element_shape.subshape(1, rank).allows(inner)
    {
        return Err(Status::invalid_argument(format!(
            "tensor shape {} is not compatible with element_shape {element_shape}",
            tensor.shape()
        )));
    }
    if lengths.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected lengths to be a vector, received shape: {}",
            lengths.shape()
        )));
    }
    let mut list = TensorList::new(tensor.dtype(), element_shape);
    let mut start = 0usize;
    for &length in lengths.as_slice::<i64>()? {
        let end = usize::try_from(length)
            .map_err(|_| Status::invalid_argument(format!("Invalid value in lengths: {length}")))?
            .saturating_add(start);
        if end > rows {
            return Err(Status::invalid_argument(format!(
                "Attempting to slice [{start}, {end}] from tensor with length {rows}"
            )));
        }
        list.items.push(Some(tensor.rows(start, end)?.deep_copy()?))?;
        start = end;
    }
    if start != rows {
        return Err(Status::invalid_argument(format!(
            "Unused values in tensor. Length of tensor: {rows} Values used: {start}"
        )));
    }
    cx.set_output(0, list.into_tensor()?);
    Ok(())
}

fn from_tensor_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (tensor, grad) = (cx.input(0), cx.grad(0)?);
    let dtype = cx.dtype(tensor);
    let shape = row_shape(cx, tensor)?;
    let stacked = cx.op_with("TensorListStack", &[grad, shape], of_type(dtype))?;
    Ok(vec![Gradient::Dense(stacked), Gradient::None])
}

fn split_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (tensor, grad) = (cx.input(0), cx.grad(0)?);
    let dtype = cx.dtype(tensor);
    let inner = row_shape(cx, tensor)?;
    let any = cx.constant(Tensor::vector(&[-1i32])?)?;
    let axis = cx.scalar(0i32)?;
    let shape = cx.op("ConcatV2", &[any, inner, axis])?;
    let leading = cx.constant(Tensor::vector::<i64>(&[])?)?;
    let joined = cx.node_with("TensorListConcatV2", &[grad, shape, leading], of_type(dtype))?;
    Ok(vec![Gradient::Dense(joined.into()), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::super::tensor_list::list;
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn reserve_checks_its_count() {
        let reserve = |count: Tensor| {
            OpTest::new(register, "TensorListReserve")
                .attr("element_dtype", DataType::Float)
                .input(Tensor::scalar(-1i32))
                .input(count)
                .run_one()
        };
        let made = reserve(Tensor::scalar(3i32)).unwrap();
        assert_eq!(list(&made).unwrap().items.len(), 3);
        assert!(reserve(Tensor::scalar(-1i32)).unwrap_err().message().contains("non negative"));
        assert!(reserve(Tensor::from_vec([1, 1], vec![1i32]).unwrap()).is_err());
        assert!(reserve(Tensor::scalar(i32::MAX)).is_err());
    }

    #[test]
    fn rows_become_elements() {
        let rows = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let make = |shape: &[i32]| {
            OpTest::new(register, "TensorListFromTensor")
                .input(rows.clone())
                .input(Tensor::vector(shape).unwrap())
                .run_one()
        };
        let made = make(&[2]).unwrap();
        let second = list(&made).unwrap().items[1].clone().unwrap();
        assert_eq!(second.as_slice::<f32>().unwrap(), &[3.0, 4.0]);
        assert!(make(&[3]).unwrap_err().message().contains("Specified a list with shape [3]"));
    }

    #[test]
    fn splits_use_every_row() {
        let make = |lengths: &[i64]| {
            OpTest::new(register, "TensorListSplit")
                .input(Tensor::vector(&[1i32, 2, 3]).unwrap())
                .input(Tensor::vector(&[-1i32]).unwrap())
                .input(Tensor::vector(lengths).unwrap())
                .run_one()
        };
        let made = make(&[2, 0, 1]).unwrap();
        assert_eq!(list(&made).unwrap().items[1].as_ref().unwrap().dims(), &[0]);
        assert!(make(&[2]).unwrap_err().message().contains("Unused values"));
        assert!(make(&[4]).unwrap_err().message().contains("Attempting to slice"));
        assert!(make(&[-1, 4]).unwrap_err().message().contains("Invalid value in lengths"));
    }
}
