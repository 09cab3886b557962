//! A tensor list's length and element shape, and lists made longer.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor, Variant};

use super::tensor_list::{TensorList, changed, list};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new("TensorListLength(input_handle: variant) -> (length: int32)")?
            .shape(shapes::scalar)
            .not_differentiable(),
        |_| Ok(KernelBox::cheap(length)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListElementShape(input_handle: variant) -> (element_shape: shape_type)
                shape_type: {int32, int64}",
        )?
        .not_differentiable(),
        |build| Ok(KernelBox::new(ElementShape(build.dtype("shape_type")?))),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListResize(input_handle: variant, size: int32) -> (output_handle: variant)",
        )?
        .shape(shapes::scalar)
        .gradient(resize_gradient),
        |_| Ok(KernelBox::cheap(resize)),
    )?;
    registry.add(
        OpSpec::new(
            "TensorListConcatLists(input_a: variant, input_b: variant) -> (output: variant)
                element_dtype: type",
        )?
        .shape(same_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(ConcatLists(build.dtype("element_dtype")?))),
    )
}

fn same_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape: PartialShape = cx.merge(cx.input(0), cx.input(1))?;
    cx.set_output(0, shape);
    Ok(())
}

fn length(cx: &mut OpContext<'_>) -> Result<()> {
    let length = list(cx.input(0))?.items.len();
    cx.set_output(0, Tensor::scalar(length as i32));
    Ok(())
}

struct ElementShape(DataType);

impl Kernel for ElementShape {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let dims = list(cx.input(0))?.element_shape.to_i64();
        let output = match (dims, self.0) {
            (None, DataType::Int32) => Tensor::scalar(-1i32),
            (None, _) => Tensor::scalar(-1i64),
            (Some(dims), DataType::Int32) => {
                let narrow = dims.iter().map(|&d| i32::try_from(d)).collect::<Result<Vec<_>, _>>();
                let narrow = narrow.map_err(|_| {
                    Status::invalid_argument("a dimension does not fit an int32 shape")
                })?;
                Tensor::vector(&narrow)?
            }
            (Some(dims), _) => Tensor::vector(&dims)?,
        };
        cx.set_output(0, output);
        Ok(())
    }

    fn expensive(&self) -> bool {
        false
    }
}

fn resize(cx: &mut OpContext<'_>) -> Result<()> {
    list(cx.input(0))?;
    if cx.input(1).rank() != 0 {
        return Err(Status::invalid_argument("size must be a scalar"));
    }
    let size = cx.input(1).to_scalar::<i32>()?;
    let length = usize::try_from(size).map_err(|_| {
        Status::invalid_argument(format!(
            "TensorListSlice expects size to be non-negative. Got: {size}"
        ))
    })?;
    let output = changed(cx.take(0), 0, |list| list.resize(length))?;
    cx.set_output(0, output);
    Ok(())
}

fn resize_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (list, grad) = (cx.input(0), cx.grad(0)?);
    let length = cx.op("TensorListLength", &[list])?;
    let back = cx.op("TensorListResize", &[grad, length])?;
    Ok(vec![Gradient::Dense(back), Gradient::None])
}

struct ConcatLists(DataType);

impl Kernel for ConcatLists {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (a, b) = (cx.input(0), cx.input(1));
        if a.shape() != b.shape() {
            return Err(Status::invalid_argument(format!(
                "Incompatible input TensorList tensor shapes: {} vs. {}",
                a.shape(),
                b.shape()
            )));
        }
        let joined = a
            .variants()?
            .iter()
            .zip(b.variants()?)
            .enumerate()
            .map(|(i, (a, b))| self.join(i, a, b))
            .collect::<Result<Vec<_>>>()?;
        let shape = a.shape().clone();
        cx.set_output(0, Tensor::from_variants(shape, joined)?);
        Ok(())
    }
}

impl ConcatLists {
    fn join(&self, i: usize, a: &Variant, b: &Variant) -> Result<Variant> {
        let (a, b) = (self.checked("input_a", i, a)?, self.checked("input_b", i, b)?);
        if a.element_shape != b.element_shape {
            return Err(Status::invalid_argument(format!(
                "input_a and input_b TensorList element shapes are not identical at index {i}.  \
                 Saw {} vs. {}",
                a.element_shape, b.element_shape
            )));
        }
        let mut joined = a.try_clone()?;
        b.items.iter().try_for_each(|item| joined.items.push(item.clone()))?;
        Variant::new(joined)
    }

    fn checked<'v>(&self, name: &str, i: usize, value: &'v Variant) -> Result<&'v TensorList> {
        let list = value.get::<TensorList>().ok_or_else(|| {
            Status::invalid_argument(format!(
                "{name} is not a TensorList at index {i}.  Saw: '{value:?}'"
            ))
        })?;
        if list.dtype != self.0 {
            return Err(Status::invalid_argument(format!(
                "{name}[{i}].dtype != element_dtype.  Saw: {} vs. {}",
                list.dtype, self.0
            )));
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn list_of(count: usize, shape: PartialShape) -> Tensor {
        let mut list = TensorList::new(DataType::Float, shape);
        list.resize(count).unwrap();
        list.into_tensor().unwrap()
    }

    #[test]
    fn lengths_and_shapes() {
        let l = list_of(2, PartialShape::of([Some(3), None]));
        let out = OpTest::new(register, "TensorListLength").input(l.clone()).run_one().unwrap();
        assert_eq!(out.to_scalar::<i32>().unwrap(), 2);
        let shape = OpTest::new(register, "TensorListElementShape")
            .attr("shape_type", DataType::Int64)
            .input(l.clone())
            .run_one()
            .unwrap();
        assert_eq!(shape.as_slice::<i64>().unwrap(), &[3, -1]);
        let resize = |size: i32| {
            let test = OpTest::new(register, "TensorListResize");
            test.input(l.clone()).input(Tensor::scalar(size)).run_one()
        };
        assert_eq!(list(&resize(5).unwrap()).unwrap().items.len(), 5);
        assert_eq!(list(&resize(0).unwrap()).unwrap().items.len(), 0);
        assert!(resize(-1).is_err());
        let not_a_list = Variant::empty().into_tensor();
        assert!(OpTest::new(register, "TensorListLength").input(not_a_list).run_one().is_err());
    }

    #[test]
    fn lists_of_the_same_kind_join() {
        let join = |a: Tensor, b: Tensor| {
            let test = OpTest::new(register, "TensorListConcatLists");
            test.attr("element_dtype", DataType::Float).input(a).input(b).run_one()
        };
        let (scalar, any) = (PartialShape::scalar(), PartialShape::unknown());
        let joined = join(list_of(1, scalar.clone()), list_of(2, scalar.clone())).unwrap();
        assert_eq!(list(&joined).unwrap().items.len(), 3);
        assert!(join(list_of(1, scalar), list_of(2, any)).is_err());
    }
}
