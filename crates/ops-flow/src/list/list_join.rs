//! A tensor from a list's elements: stack, gather, concat.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::tensor_list::{
    TensorList, element_shape, inferred_shape, list, of_type, row_shape, shape_input, with_rows,
};
use crate::elements::{join, merge_shapes, prepend, stack};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "TensorListStack(input_handle: variant, element_shape: int32) -> (tensor: element_dtype)
                element_dtype: type
                num_elements: int = -1",
        )?
        .shape(stack_shape)
        .gradient(stack_gradient),
        |build| {
            Ok(KernelBox::new(Stack {
                dtype: build.dtype("element_dtype")?,
                count: build.int("num_elements")?,
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "TensorListGather(input_handle: variant, indices: int32, element_shape: int32) \
             -> (values: element_dtype)
                element_dtype: type",
        )?
        .shape(gather_shape)
        .gradient(gather_gradient),
        |build| Ok(KernelBox::new(Gather(build.dtype("element_dtype")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListConcat(input_handle: variant) -> (tensor: element_dtype, lengths: int64)
                element_dtype: type
                element_shape: shape = {unknown_rank}",
        )?
        .shape(concat_shape)
        .gradient(concat_gradient),
        |build| {
            Ok(KernelBox::new(Concat {
                dtype: build.dtype("element_dtype")?,
                element_shape: Some(build.shape("element_shape")?),
            }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "TensorListConcatV2(input_handle: variant, element_shape: shape_type, \
             leading_dims: int64) -> (tensor: element_dtype, lengths: int64)
                element_dtype: type
                shape_type: {int32, int64}",
        )?
        .shape(concat_shape)
        .gradient(concat_gradient),
        |build| {
            let dtype = build.dtype("element_dtype")?;
            Ok(KernelBox::new(Concat { dtype, element_shape: None }))
        },
    )
}

fn stack_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rows = usize::try_from(cx.node().int("num_elements")?).ok();
    let shape = with_rows(rows, &inferred_shape(cx, 1)?);
    cx.set_output(0, shape);
    Ok(())
}

fn gather_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let rows = match cx.input(1).rank() {
        Some(1) => cx.input(1).dim(0),
        _ => cx.input(1).elements(),
    };
    let shape = with_rows(rows, &inferred_shape(cx, 2)?);
    cx.set_output(0, shape);
    Ok(())
}

fn concat_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = match cx.inputs().len() {
        1 => cx.node().shape("element_shape")?,
        _ => inferred_shape(cx, 1)?,
    };
    let inner = match shape.rank() {
        Some(rank) if rank > 0 => shape.subshape(1, rank),
        _ => PartialShape::unknown(),
    };
    cx.set_output(0, with_rows(None, &inner));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

/// The elements, with zeros of `shape` for those nobody set.
fn filled<'t>(
    dtype: DataType,
    shape: &Shape,
    items: impl Iterator<Item = &'t Option<Tensor>>,
) -> Result<Vec<Tensor>> {
    let mut zeros = None;
    items
        .map(|item| match (item, &zeros) {
            (Some(tensor), _) => Ok(tensor.clone()),
            (None, Some(zeros)) => Ok(Tensor::clone(zeros)),
            (None, None) => Ok(zeros.insert(Tensor::zeros(dtype, shape)?).clone()),
        })
        .collect()
}

struct Stack {
    dtype: DataType,
    count: i64,
}

impl Kernel for Stack {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let list = list(cx.input(0))?;
        list.check_dtype(self.dtype)?;
        let length = list.items.len();
        if self.count != -1 && self.count != length as i64 {
            return Err(Status::invalid_argument(format!(
                "Operation expected a list with {} elements but got a list with {length} \
                 elements.",
                self.count
            )));
        }
        let requested = shape_input(cx, 1)?;
        let shape = list.merged_shape(&requested, list.items.iter())?;
        let known = shape.to_shape().ok_or_else(|| {
            Status::invalid_argument(if length == 0 {
                format!(
                    "Tried to stack elements of an empty list with non-fully-defined \
                     element_shape: {shape}"
                )
            } else {
                format!(
                    "Tried to stack list which only contains uninitialized tensors and has a \
                     non-fully-defined element_shape: {shape}"
                )
            })
        })?;
        let values = filled(self.dtype, &known, list.items.iter())?;
        let stacked = stack(self.dtype, &known, &values)?;
        cx.set_output(0, stacked);
        Ok(())
    }
}

struct Gather(DataType);

impl Kernel for Gather {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let list = list(cx.input(0))?;
        list.check_dtype(self.0)?;
        let indices = cx.input(1).as_slice::<i32>()?;
        let chosen: Vec<&Option<Tensor>> = indices
            .iter()
            .map(|&i| {
                usize::try_from(i).ok().and_then(|i| list.items.get(i)).ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "Trying to gather element {i} in a list with {} elements.",
                        list.items.len()
                    ))
                })
            })
            .collect::<Result<_>>()?;
        let requested = shape_input(cx, 2)?;
        let shape = list.merged_shape(&requested, chosen.iter().copied())?;
        let known = shape.to_shape().ok_or_else(|| {
            Status::invalid_argument(if chosen.is_empty() {
                format!(
                    "Tried to gather 0-elements from a list with non-fully-defined shape: {shape}"
                )
            } else {
                format!(
                    "Tried to gather uninitialized tensors from a list with non-fully-defined \
                     element_shape: {shape}"
                )
            })
        })?;
        let values = filled(self.0, &known, chosen.into_iter())?;
        let gathered = stack(self.0, &known, &values)?;
        cx.set_output(0, gathered);
        Ok(())
    }
}

struct Concat {
    dtype: DataType,
    /// The attribute of the first version; the second has an input.
    element_shape: Option<PartialShape>,
}

impl Kernel for Concat {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let list = list(cx.input(0))?;
        list.check_dtype(self.dtype)?;
        let (mut first, mut inner) = self.requested(cx, list)?;
        if list.items.is_empty() && !inner.is_fully_known() {
            return Err(Status::invalid_argument(format!(
                "All except the first dimension must be fully defined when concating an empty \
                 tensor list. element_shape: {inner}"
            )));
        }
        if !list.element_shape.is_fully_known() {
            (first, inner) = refine(list, first, inner)?;
        }
        let inner = inner.to_shape().ok_or_else(|| {
            Status::invalid_argument(format!(
                "Trying to concat list with only uninitialized tensors but \
                 element_shape_except_first_dim is not fully defined: {inner}"
            ))
        })?;
        let leading = match self.element_shape {
            Some(_) => None,
            None => Some(cx.input(2).as_slice::<i64>()?),
        };
        let lengths = list
            .items
            .iter()
            .enumerate()
            .map(|(i, item)| length(i, item.as_ref(), first, leading))
            .collect::<Result<Vec<i64>>>()?;
        let total = lengths.iter().try_fold(0i64, |sum, &l| sum.checked_add(l));
        let total = total.ok_or_else(|| Status::invalid_argument("lengths overflow"))?;
        let parts = list
            .items
            .iter()
            .zip(&lengths)
            .map(|(item, &length)| match item {
                Some(tensor) => Ok(tensor.clone()),
                None => Tensor::zeros(self.dtype, prepend(length as usize, &inner)),
            })
            .collect::<Result<Vec<_>>>()?;
        cx.set_output(0, join(self.dtype, prepend(total as usize, &inner), &parts)?);
        cx.set_output(1, Tensor::vector(&lengths)?);
        Ok(())
    }
}

impl Concat {
    /// The first dimension and the others, as far as attribute or input tell.
    fn requested(
        &self,
        cx: &OpContext<'_>,
        list: &TensorList,
    ) -> Result<(Option<usize>, PartialShape)> {
        let (shape, is_input) = match &self.element_shape {
            Some(shape) => (shape.clone(), false),
            None => (merge_shapes(&shape_input(cx, 1)?, &list.element_shape)?, true),
        };
        match shape.rank() {
            None => Ok((None, PartialShape::unknown())),
            Some(0) => Err(Status::invalid_argument(match is_input {
                true => "Concat requires elements to be at least vectors, found scalars instead.",
                false => "element_shape must not be empty",
            })),
            Some(rank) => Ok((shape.dim(0).filter(|_| is_input), shape.subshape(1, rank))),
        }
    }
}

/// What the elements add to what is known; a first dimension that all of them share stands for
/// those nobody set.
fn refine(
    list: &TensorList,
    first: Option<usize>,
    mut inner: PartialShape,
) -> Result<(Option<usize>, PartialShape)> {
    let mut common = first;
    let mut differ = false;
    for (i, tensor) in list.items.iter().enumerate().filter_map(|(i, t)| Some((i, t.as_ref()?))) {
        let Some((&rows, rest)) = tensor.dims().split_first() else {
            return Err(Status::invalid_argument(format!(
                "Concat saw a scalar shape at index {i} but requires at least vectors."
            )));
        };
        inner = merge_shapes(&inner, &(&Shape::from(rest)).into())?;
        if let Some(first) = first
            && first != rows
        {
            return Err(Status::invalid_argument(format!(
                "First entry of element_shape input does not match the first dim of list element \
                 at index: {i} Expected: {first} Actual: {rows}"
            )));
        }
        differ |= common.is_some_and(|c| c != rows);
        common = Some(rows);
    }
    Ok((common.filter(|_| !differ), inner))
}

fn length(
    i: usize,
    item: Option<&Tensor>,
    first: Option<usize>,
    leading: Option<&[i64]>,
) -> Result<i64> {
    if let Some(tensor) = item {
        return tensor.dims().first().map(|&d| d as i64).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Concat saw a scalar shape at index {i} but requires at least vectors."
            ))
        });
    }
    match (leading.and_then(|l| l.get(i)), first) {
        (Some(&length), _) if length >= 0 => Ok(length),
        (Some(length), _) => Err(Status::invalid_argument(format!(
            "leading_dims must not be negative, got {length} at index {i}"
        ))),
        (None, Some(first)) => Ok(first as i64),
        (None, None) => Err(Status::invalid_argument(match leading {
            None => "Concating lists with uninitialized tensors is not supported in this version \
                     of TensorListConcat. Consider updating your GraphDef to run the newer version."
                .to_string(),
            Some(leading) => format!(
                "List contains uninitialized tensor at index {i} but leading_dims has only {} \
                 elements.",
                leading.len()
            ),
        })),
    }
}

fn stack_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let list = cx.input(0);
    let shape = element_shape(cx, list)?;
    let rows = cx.op("TensorListFromTensor", &[grad, shape])?;
    Ok(vec![Gradient::Dense(rows), Gradient::None])
}

fn gather_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (list, indices, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let shape = row_shape(cx, grad)?;
    let length = cx.op("TensorListLength", &[list])?;
    let dtype = cx.dtype(grad);
    let empty = cx.op_with("TensorListReserve", &[shape, length], of_type(dtype))?;
    let set = cx.op("TensorListScatterIntoExistingList", &[empty, grad, indices])?;
    Ok(vec![Gradient::Dense(set), Gradient::None, Gradient::None])
}

fn concat_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (list, lengths, grad) = (cx.input(0), cx.output(1), cx.grad(0)?);
    let shape = element_shape(cx, list)?;
    let pieces = cx.op("TensorListSplit", &[grad, shape, lengths])?;
    let mut gradients = vec![Gradient::Dense(pieces)];
    gradients.resize(cx.inputs_len(), Gradient::None);
    Ok(gradients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::CountedVec;

    fn list_of(items: Vec<Option<Tensor>>) -> Tensor {
        let mut list = TensorList::new(DataType::Int32, PartialShape::unknown());
        list.items = CountedVec::from_vec(items).unwrap();
        list.into_tensor().unwrap()
    }

    fn ints(values: &[i32]) -> Tensor {
        Tensor::vector(values).unwrap()
    }

    fn test(op: &str, list: Tensor) -> OpTest {
        OpTest::new(register, op).attr("element_dtype", DataType::Int32).input(list)
    }

    #[test]
    fn stacking_fills_gaps_with_zeros() {
        let list = list_of(vec![Some(ints(&[1, 2])), None]);
        let out =
            test("TensorListStack", list.clone()).input(Tensor::scalar(-1i32)).run_one().unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[1, 2, 0, 0]);
        let wrong = test("TensorListStack", list.clone()).attr("num_elements", 3i64);
        assert!(wrong.input(Tensor::scalar(-1i32)).run_one().is_err());
        let error = test("TensorListStack", list).input(ints(&[3])).run_one().unwrap_err();
        assert!(error.message().contains("Incompatible shapes during merge"));
        let error = test("TensorListStack", list_of(vec![]))
            .input(Tensor::scalar(-1i32))
            .run_one()
            .unwrap_err();
        assert!(error.message().contains("empty list with non-fully-defined element_shape"));
        let unset = test("TensorListStack", list_of(vec![None])).input(Tensor::scalar(-1i32));
        let error = unset.run_one().unwrap_err();
        assert!(error.message().contains("only contains uninitialized tensors"));
    }

    #[test]
    fn gathering_checks_indices() {
        let list = list_of(vec![Some(Tensor::scalar(7i32)), Some(Tensor::scalar(8i32))]);
        let gather = |indices: &[i32]| {
            test("TensorListGather", list.clone())
                .input(ints(indices))
                .input(Tensor::vector::<i32>(&[]).unwrap())
                .run_one()
        };
        assert_eq!(gather(&[1, 0, 1]).unwrap().as_slice::<i32>().unwrap(), &[8, 7, 8]);
        assert_eq!(gather(&[]).unwrap().dims(), &[0]);
        assert!(gather(&[2]).is_err());
        assert!(gather(&[-1]).is_err());
    }

    #[test]
    fn concatenation_takes_lengths_from_where_they_are_known() {
        let list = list_of(vec![Some(ints(&[1, 2])), None, Some(ints(&[3]))]);
        let concat = |leading: &[i64]| {
            test("TensorListConcatV2", list.clone())
                .input(ints(&[-1]))
                .input(Tensor::vector(leading).unwrap())
                .run()
        };
        let out = concat(&[9, 1]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), &[1, 2, 0, 3]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), &[2, 1, 1]);
        assert!(concat(&[]).unwrap_err().message().contains("leading_dims has only 0"));
        assert!(concat(&[0, -1]).is_err());
        let scalars = list_of(vec![Some(Tensor::scalar(1i32))]);
        let error = test("TensorListConcat", scalars).run().unwrap_err();
        assert!(error.message().contains("scalar shape at index 0"));
    }
}
