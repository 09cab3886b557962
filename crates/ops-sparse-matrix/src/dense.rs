//! DenseToCSRSparseMatrix and CSRSparseMatrixToDense: chosen places of dense matrices, and back.

use downpour_graph::{
    Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes,
};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Element, Result, Shape, Status, Tensor};

use crate::coo::compressed;
use crate::matrix::matrix;
use crate::number::dispatch_number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DenseToCSRSparseMatrix(dense_input: T, indices: int64) -> (sparse_output: variant)
                T: {float, double, complex64, complex128}",
        )?
        .shape(infer_sparse)
        .gradient(sparse_gradient),
        |_| Ok(KernelBox::function(to_sparse)),
    )?;
    registry.add(
        OpSpec::new(
            "CSRSparseMatrixToDense(sparse_input: variant) -> (dense_output: type)
                type: {float, double, complex64, complex128}",
        )?
        .shape(shapes::unknown)
        .gradient(dense_gradient),
        |build| Ok(KernelBox::new(ToDense { dtype: build.dtype("type")? })),
    )
}

fn to_sparse(cx: &mut OpContext<'_>) -> Result<()> {
    let (dense, indices) = (cx.input(0), cx.input(1));
    if !(2..=3).contains(&dense.rank()) {
        return Err(Status::invalid_argument(format!(
            "params must have rank == 2 or 3; but saw shape: {}",
            dense.shape()
        )));
    }
    if indices.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "indices must be a matrix, but saw shape: {}",
            indices.shape()
        )));
    }
    if indices.dims()[1] != dense.rank() {
        return Err(Status::invalid_argument(format!(
            "indices.shape[1] must be equal to the rank of params, but saw: {} vs. {}",
            indices.dims()[1],
            dense.rank()
        )));
    }
    let places = indices.as_slice::<i64>()?;
    let values = dispatch_number!(dense.dtype(), "DenseToCSRSparseMatrix", T => {
        gather(dense.as_slice::<T>()?, dense.shape(), places)
    })?;
    let sparse = compressed(dense.shape().clone(), places, values)?;
    cx.set_output(0, sparse.into_tensor()?);
    Ok(())
}

fn gather<T: Element>(dense: &[T], shape: &Shape, places: &[i64]) -> Result<Tensor> {
    let mut values = CountedVec::with_capacity(places.len() / shape.rank())?;
    for (i, place) in places.chunks_exact(shape.rank()).enumerate() {
        let position = place.iter().zip(shape.iter()).try_fold(0usize, |at, (&p, &size)| {
            let p = usize::try_from(p).ok().filter(|&p| p < size)?;
            Some(at * size + p)
        });
        let position = position.ok_or_else(|| {
            Status::invalid_argument(format!(
                "indices[{i}] = {place:?} does not index into param shape {shape}"
            ))
        })?;
        values.push(dense[position])?;
    }
    Tensor::vector(&values)
}

struct ToDense {
    dtype: DataType,
}

impl Kernel for ToDense {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sparse = matrix(cx, 0)?;
        if sparse.dtype() != self.dtype {
            return Err(Status::invalid_argument(format!(
                "Asked for a CSRSparseMatrix of type {} but saw dtype: {}",
                self.dtype,
                sparse.dtype()
            )));
        }
        let mut dense = Tensor::zeros(self.dtype, sparse.shape().clone())?;
        dispatch_number!(self.dtype, "CSRSparseMatrixToDense", T => {
            let out = dense
                .as_mut_slice::<T>()
                .ok_or_else(|| Status::internal("a new tensor is shared"))?;
            let (rows, width) = (sparse.rows(), sparse.columns_len());
            for batch in 0..sparse.batches() {
                cx.check_cancelled()?;
                let component = sparse.component::<T>(batch)?;
                for row in 0..rows {
                    let start = (batch * rows + row) * width;
                    for (column, value) in component.entries(row) {
                        out[start + column] = value;
                    }
                }
            }
            Ok(())
        })?;
        cx.set_output(0, dense);
        Ok(())
    }
}

fn infer_sparse(cx: &mut ShapeContext<'_>) -> Result<()> {
    if let Some(rank) = cx.input(0).rank()
        && !(2..=3).contains(&rank)
    {
        return Err(Status::invalid_argument(format!(
            "Invalid rank of dense: {rank}.  Expected a known rank of either 2 or 3."
        )));
    }
    cx.with_rank(1, 2)?;
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

/// All values of the gradient, not only those at the places that were taken, as TensorFlow does.
fn sparse_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("type", cx.node().dtype("T")?);
    let dense = cx.op_with("CSRSparseMatrixToDense", &[grad], attrs)?;
    Ok(vec![Gradient::Dense(dense), Gradient::None])
}

/// The gradient at the places of the input.
fn dense_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("type", cx.node().dtype("type")?);
    let input = cx.input(0);
    let indices = cx.op_with("CSRSparseMatrixToSparseTensor", &[input], attrs)?;
    Ok(vec![Gradient::Dense(cx.op("DenseToCSRSparseMatrix", &[grad, indices])?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn convert(dense: Tensor, indices: Tensor) -> Result<Tensor> {
        OpTest::new(register, "DenseToCSRSparseMatrix").input(dense).input(indices).run_one()
    }

    fn dense() -> Tensor {
        Tensor::from_vec([2, 3], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap()
    }

    fn places(values: &[i64], columns: usize) -> Tensor {
        Tensor::from_slice([values.len() / columns, columns], values).unwrap()
    }

    #[test]
    fn chosen_places_come_back() {
        let sparse = convert(dense(), places(&[0, 1, 1, 0, 1, 2], 2)).unwrap();
        assert_eq!(crate::testing::dense::<f32>(&sparse), [0.0, 2.0, 0.0, 4.0, 0.0, 6.0]);
        let none = convert(dense(), places(&[], 2)).unwrap();
        assert_eq!(crate::testing::dense::<f32>(&none), [0.0; 6]);
    }

    #[test]
    fn places_outside_are_refused() {
        assert!(convert(dense(), places(&[0, 3], 2)).is_err());
        assert!(convert(dense(), places(&[-1, 0], 2)).is_err());
        assert!(convert(dense(), places(&[0, 0, 0], 3)).is_err());
        assert!(convert(Tensor::vector(&[1f32]).unwrap(), places(&[0], 1)).is_err());
        assert!(convert(dense(), Tensor::vector(&[0i64, 0]).unwrap()).is_err());
    }

    #[test]
    fn another_type_or_value_is_refused() {
        let sparse = convert(dense(), places(&[0, 1], 2)).unwrap();
        let to_dense = |input| {
            let test = OpTest::new(register, "CSRSparseMatrixToDense");
            test.attr("type", DataType::Double).input(input).run_one().unwrap_err()
        };
        assert!(to_dense(sparse).message().contains("Asked for a CSRSparseMatrix of type double"));
        let empty = Tensor::new(DataType::Variant, Shape::scalar()).unwrap();
        assert!(to_dense(empty).message().contains("Could not retrieve Variant input 0"));
        let many = Tensor::new(DataType::Variant, [2]).unwrap();
        assert!(to_dense(many).message().contains("Shape must be rank 0 but is rank 1"));
    }
}
