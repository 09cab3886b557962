//! SparseMatrixZeros: a matrix without values.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use crate::coo::compressed;
use crate::matrix::CsrMatrix;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixZeros(dense_shape: int64) -> (sparse_matrix: variant)
                type: {float, double, complex64, complex128}",
        )?
        .shape(infer)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Zeros { dtype: build.dtype("type")? })),
    )
}

struct Zeros {
    dtype: DataType,
}

impl Kernel for Zeros {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let shape = cx.vector_input(0)?;
        if !(2..=3).contains(&shape.len()) {
            return Err(Status::invalid_argument(format!(
                "sparse tensor must have rank == 2 or 3; but dense shape has {} entries",
                shape.len()
            )));
        }
        let shape = Shape::from_i64(shape.as_slice::<i64>()?)?;
        cx.set_output(0, zeros(self.dtype, &shape)?.into_tensor()?);
        Ok(())
    }
}

/// Returns a matrix of this type and shape without values.
pub(crate) fn zeros(dtype: DataType, shape: &Shape) -> Result<CsrMatrix> {
    compressed(shape.clone(), &[], Tensor::new(dtype, [0])?)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    if let Some(rank) = cx.input(0).dim(0)
        && !(2..=3).contains(&rank)
    {
        return Err(Status::invalid_argument(format!(
            "Invalid rank: {rank}.  Expected a known rank of either 2 or 3."
        )));
    }
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(shape: &[i64]) -> Result<Tensor> {
        let test = OpTest::new(register, "SparseMatrixZeros").attr("type", DataType::Float);
        test.input(Tensor::vector(shape).unwrap()).run_one()
    }

    #[test]
    fn no_value_is_there() {
        assert_eq!(crate::testing::dense::<f32>(&run(&[2, 3]).unwrap()), [0.0; 6]);
        assert_eq!(crate::testing::dense::<f32>(&run(&[2, 1, 2]).unwrap()), [0.0; 4]);
    }

    #[test]
    fn impossible_shapes_are_refused() {
        assert!(run(&[2]).is_err());
        assert!(run(&[2, -1]).is_err());
        assert!(run(&[1 << 40, 1]).is_err());
        assert!(run(&[1 << 31, 1 << 31, 1]).is_err());
    }
}
