//! TensorListScatter: rows of a tensor to places of a list.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use super::list_create::checked_rows;
use super::tensor_list::{TensorList, changed, list, of_type, row_shape};
use crate::elements;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "TensorListScatter(tensor: element_dtype, indices: int32, element_shape: shape_type) \
         -> (output_handle: variant)
            element_dtype: type
            shape_type: {int32, int64}",
        "TensorListScatterV2(tensor: element_dtype, indices: int32, element_shape: shape_type, \
         num_elements: int32) -> (output_handle: variant)
            element_dtype: type
            shape_type: {int32, int64}",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).gradient(scatter_gradient);
        registry.add(spec, |_| Ok(KernelBox::function(scatter)))?;
    }
    registry.add(
        OpSpec::new(
            "TensorListScatterIntoExistingList(input_handle: variant, tensor: element_dtype, \
             indices: int32) -> (output_handle: variant)
                element_dtype: type",
        )?
        .shape(shapes::scalar)
        .gradient(existing_gradient),
        |_| Ok(KernelBox::function(scatter_into_existing)),
    )
}

/// Puts row i of `tensor` at `indices[i]`, lengthening the list if needed.
fn put(list: &mut TensorList, tensor: &Tensor, indices: &[i32]) -> Result<()> {
    let places =
        indices.iter().map(|&i| usize::try_from(i)).collect::<Result<Vec<usize>, _>>().map_err(
            |_| Status::invalid_argument("Indices in TensorListScatter must all be non-negative."),
        )?;
    let length = places.iter().map(|&i| i + 1).max().unwrap_or(0);
    if length > list.items.len() {
        list.resize(length)?;
    }
    for (row, place) in places.into_iter().enumerate() {
        list.items[place] = Some(elements::row(tensor, row)?);
    }
    Ok(())
}

fn scatter(cx: &mut OpContext<'_>) -> Result<()> {
    let (tensor, indices) = (cx.input(0), cx.input(1));
    if cx.input(2).rank() > 1 {
        return Err(Status::invalid_argument(format!(
            "TensorListScatter: element_shape must be at most rank 1 but has the shape of {}",
            cx.input(2).shape()
        )));
    }
    let count = match cx.inputs_len() {
        4 if cx.input(3).rank() != 0 => {
            return Err(Status::invalid_argument("num_elements must be a scalar"));
        }
        4 => cx.input(3).to_scalar::<i32>()?,
        _ => -1,
    };
    if count < -1 {
        return Err(Status::invalid_argument(format!(
            "TensorListScatter expects num_elements >= -1, found: {count}"
        )));
    }
    let (rows, mut list) = checked_rows(cx, tensor, 2)?;
    if indices.len() != rows {
        return Err(Status::invalid_argument(format!(
            "Invalid number of rows in input tensor. Expected: {} Actual: {rows}",
            indices.len()
        )));
    }
    let indices = indices.as_slice::<i32>()?;
    if count >= 0 {
        if let Some(outside) = indices.iter().find(|&&i| i >= count) {
            return Err(Status::invalid_argument(format!(
                "TensorListScatter: Trying to scatter at index {outside} in list with size {count}"
            )));
        }
        list.resize(count as usize)?;
    }
    put(&mut list, tensor, indices)?;
    cx.set_output(0, list.into_tensor()?);
    Ok(())
}

fn scatter_into_existing(cx: &mut OpContext<'_>) -> Result<()> {
    let (seen, tensor, indices) = (list(cx.input(0))?, cx.input(1), cx.input(2));
    if tensor.dtype() != seen.dtype {
        return Err(Status::invalid_argument(format!(
            "Invalid data types; input tensor type: {} list element_type: {}",
            tensor.dtype(),
            seen.dtype
        )));
    }
    let Some(&rows) = tensor.dims().first() else {
        return Err(Status::invalid_argument(format!(
            "Tensor must be at least a vector, but saw shape: {}",
            tensor.shape()
        )));
    };
    if indices.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected indices to be a vector, but received shape: {}",
            indices.shape()
        )));
    }
    if indices.len() != rows {
        return Err(Status::invalid_argument(format!(
            "Expected len(indices) == tensor.shape[0], but saw: {} vs. {rows}",
            indices.len()
        )));
    }
    let (tensor, indices) = (tensor.clone(), indices.clone());
    let added = tensor.variant_depth();
    let output = changed(cx.take(0), added, |list| put(list, &tensor, indices.as_slice::<i32>()?))?;
    cx.set_output(0, output);
    Ok(())
}

fn scatter_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (tensor, indices, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let (shape, dtype) = (row_shape(cx, tensor)?, cx.dtype(tensor));
    let rows = cx.op_with("TensorListGather", &[grad, indices, shape], of_type(dtype))?;
    let mut gradients = vec![Gradient::Dense(rows)];
    gradients.resize(cx.inputs_len(), Gradient::None);
    Ok(gradients)
}

fn existing_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (tensor, indices, grad) = (cx.input(1), cx.input(2), cx.grad(0)?);
    let (shape, dtype) = (row_shape(cx, tensor)?, cx.dtype(tensor));
    let rows = cx.op_with("TensorListGather", &[grad, indices, shape], of_type(dtype))?;
    let zeros = cx.op("ZerosLike", &[tensor])?;
    let list = cx.op("TensorListScatterIntoExistingList", &[grad, zeros, indices])?;
    Ok(vec![Gradient::Dense(list), Gradient::Dense(rows), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn scattered(indices: &[i32], count: i32) -> Result<Tensor> {
        OpTest::new(register, "TensorListScatterV2")
            .input(Tensor::vector(&[10i32, 20]).unwrap())
            .input(Tensor::vector(indices).unwrap())
            .input(Tensor::vector::<i32>(&[]).unwrap())
            .input(Tensor::scalar(count))
            .run_one()
    }

    #[test]
    fn rows_go_to_their_places() {
        let made = scattered(&[2, 0], -1).unwrap();
        let items = &list(&made).unwrap().items;
        assert_eq!(items.len(), 3);
        assert!(items[1].is_none());
        assert_eq!(items[2].as_ref().unwrap().to_scalar::<i32>().unwrap(), 10);
        assert_eq!(list(&scattered(&[0, 1], 5).unwrap()).unwrap().items.len(), 5);
        let error = scattered(&[0, 5], 5).unwrap_err();
        assert!(error.message().contains("Trying to scatter at index 5 in list with size 5"));
        assert!(scattered(&[0, -1], -1).unwrap_err().message().contains("non-negative"));
        assert!(scattered(&[0], -1).is_err());
        assert!(scattered(&[0, 1], -2).is_err());
        assert!(scattered(&[0, i32::MAX], -1).is_err());
    }

    #[test]
    fn an_existing_list_is_lengthened() {
        let out = OpTest::new(register, "TensorListScatterIntoExistingList")
            .input(scattered(&[0, 1], 2).unwrap())
            .input(Tensor::vector(&[7i32]).unwrap())
            .input(Tensor::vector(&[3i32]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(list(&out).unwrap().items.len(), 4);
    }
}
