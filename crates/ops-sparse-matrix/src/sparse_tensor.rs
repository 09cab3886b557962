//! SparseTensorToCSRSparseMatrix and CSRSparseMatrixToSparseTensor: from coordinates and back.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::coo::compressed;
use crate::matrix::{CsrMatrix, matrix};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseTensorToCSRSparseMatrix(indices: int64, values: T, dense_shape: int64) -> (sparse_matrix: variant)
                T: {float, double, complex64, complex128}",
        )?
        .shape(infer_matrix)
        .gradient(matrix_gradient),
        |_| Ok(KernelBox::function(to_matrix)),
    )?;
    registry.add(
        OpSpec::new(
            "CSRSparseMatrixToSparseTensor(sparse_matrix: variant) -> (indices: int64, values: type, dense_shape: int64)
                type: {float, double, complex64, complex128}",
        )?
        .shape(infer_tensor)
        .gradient(tensor_gradient),
        |build| Ok(KernelBox::new(ToSparseTensor { dtype: build.dtype("type")? })),
    )
}

fn to_matrix(cx: &mut OpContext<'_>) -> Result<()> {
    let (indices, values, dense_shape) = (cx.input(0), cx.input(1), cx.input(2));
    for (name, tensor, rank) in
        [("indices", indices, 2), ("values", values, 1), ("shape", dense_shape, 1)]
    {
        if tensor.rank() != rank {
            return Err(Status::invalid_argument(format!(
                "Sparse {name} must be rank {rank} but is rank {}",
                tensor.rank()
            )));
        }
    }
    if values.len() != indices.dims()[0] {
        return Err(Status::invalid_argument(format!(
            "Number of elements in indices ({}) and values ({}) do not match",
            indices.dims()[0],
            values.len()
        )));
    }
    if dense_shape.len() != indices.dims()[1] {
        return Err(Status::invalid_argument(format!(
            "Index rank ({}) and shape rank ({}) do not match",
            indices.dims()[1],
            dense_shape.len()
        )));
    }
    if !(2..=3).contains(&dense_shape.len()) {
        return Err(Status::invalid_argument(format!(
            "SparseTensor must have rank 2 or 3; but indices has rank: {}",
            dense_shape.len()
        )));
    }
    let shape = Shape::from_i64(dense_shape.as_slice::<i64>()?)?;
    let sparse = compressed(shape, indices.as_slice::<i64>()?, values.clone())?;
    cx.set_output(0, sparse.into_tensor()?);
    Ok(())
}

struct ToSparseTensor {
    dtype: DataType,
}

impl Kernel for ToSparseTensor {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sparse = matrix(cx, 0)?;
        if sparse.dtype() != self.dtype {
            return Err(Status::invalid_argument(format!(
                "Expected a CSRSparseMatrix of type {} but saw type: {}",
                self.dtype,
                sparse.dtype()
            )));
        }
        let indices = indices(sparse)?;
        let (values, shape) = (sparse.values().clone(), Tensor::vector(&sparse.shape().to_i64())?);
        cx.set_output(0, indices);
        cx.set_output(1, values);
        cx.set_output(2, shape);
        Ok(())
    }
}

/// Returns the coordinates of all values.
fn indices(sparse: &CsrMatrix) -> Result<Tensor> {
    let (rank, rows) = (sparse.rank(), sparse.rows());
    let pointers = sparse.row_pointers().as_slice::<i32>()?;
    let columns = sparse.columns().as_slice::<i32>()?;
    Tensor::build([columns.len(), rank], |out: &mut [i64]| {
        let mut places = out.chunks_exact_mut(rank).zip(columns);
        for (i, pair) in pointers.windows(2).enumerate() {
            let (batch, row) = (i / (rows + 1), i % (rows + 1));
            // The last pointer of a matrix and the first of the next enclose no row.
            let count = if row == rows { 0 } else { (pair[1] - pair[0]) as usize };
            for (place, &column) in places.by_ref().take(count) {
                if rank == 3 {
                    place[0] = batch as i64;
                }
                place[rank - 2] = row as i64;
                place[rank - 1] = i64::from(column);
            }
        }
    })
}

fn infer_matrix(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 2)?;
    cx.with_rank(1, 1)?;
    cx.with_rank(2, 1)?;
    if let Some(rank) = cx.input(2).dim(0)
        && !(2..=3).contains(&rank)
    {
        return Err(Status::invalid_argument(format!(
            "Invalid rank: {rank}.  Expected a known rank of either 2 or 3."
        )));
    }
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

fn infer_tensor(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::matrix(None, None));
    cx.set_output(1, PartialShape::vector(None));
    cx.set_output(2, PartialShape::vector(None));
    Ok(())
}

fn matrix_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("type", cx.node().dtype("T")?);
    let node = cx.node_with("CSRSparseMatrixToSparseTensor", &[grad], attrs)?;
    let values = downpour_graph::Endpoint { node, port: 1 };
    Ok(vec![Gradient::None, Gradient::Dense(values), Gradient::None])
}

fn tensor_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let inputs = [cx.output(0), cx.grad(1)?, cx.output(2)];
    Ok(vec![Gradient::Dense(cx.op("SparseTensorToCSRSparseMatrix", &inputs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn convert(indices: Tensor, values: usize, shape: &[i64]) -> Result<Tensor> {
        let values: Vec<f64> = (0..values).map(|i| i as f64 + 1.0).collect();
        OpTest::new(register, "SparseTensorToCSRSparseMatrix")
            .input(indices)
            .input(Tensor::vector(&values).unwrap())
            .input(Tensor::vector(shape).unwrap())
            .run_one()
    }

    #[test]
    fn coordinates_come_back() {
        let places = [0i64, 0, 1, 0, 2, 0, 2, 1, 1];
        let indices = Tensor::from_slice([3, 3], &places).unwrap();
        let sparse = convert(indices, 3, &[3, 3, 2]).unwrap();
        let test = OpTest::new(register, "CSRSparseMatrixToSparseTensor");
        let out = test.attr("type", DataType::Double).input(sparse).run().unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &places);
        assert_eq!(out[1].as_slice::<f64>().unwrap(), &[1.0, 2.0, 3.0]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), &[3, 3, 2]);
    }

    #[test]
    fn forged_sparse_tensors_are_refused() {
        let one = || Tensor::from_slice([1, 2], &[0i64, 1]).unwrap();
        assert!(convert(one(), 1, &[2, 2]).is_ok());
        assert!(convert(one(), 1, &[2, 1]).is_err());
        assert!(convert(one(), 2, &[2, 2]).is_err());
        assert!(convert(one(), 1, &[2, 2, 2]).is_err());
        assert!(convert(one(), 1, &[-2, 2]).is_err());
        assert!(convert(one(), 1, &[i64::MAX, i64::MAX]).is_err());
        assert!(convert(Tensor::vector(&[0i64, 1]).unwrap(), 1, &[2, 2]).is_err());
        assert!(convert(Tensor::from_slice([1, 1], &[0i64]).unwrap(), 1, &[2]).is_err());
    }
}
