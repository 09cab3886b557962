//! CSRSparseMatrixComponents: the pointers, columns and values of one matrix of a batch.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status};

use crate::matrix::{check_type, matrix};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CSRSparseMatrixComponents(csr_sparse_matrix: variant, index: int32) -> (row_ptrs: int32, col_inds: int32, values: type)
                type: {float, double, complex64, complex128}",
        )?
        .shape(infer),
        |build| Ok(KernelBox::new(Components { dtype: build.dtype("type")? })),
    )
}

struct Components {
    dtype: DataType,
}

impl Kernel for Components {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sparse = matrix(cx, 0)?;
        check_type("input", sparse, self.dtype)?;
        if cx.input(1).rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "index should be a scalar, but saw: {:?}",
                cx.input(1)
            )));
        }
        let given = cx.input(1).to_scalar::<i32>()?;
        let index = usize::try_from(given).ok().filter(|&i| i < sparse.batches());
        let Some(index) = index else {
            return Err(Status::invalid_argument(format!(
                "index ({given}) not in [0, {})",
                sparse.batches()
            )));
        };
        let block = sparse.rows() + 1;
        let range = sparse.batch(index)?;
        let rows = sparse.row_pointers().rows(index * block, (index + 1) * block)?;
        let columns = sparse.columns().rows(range.start, range.end)?;
        let values = sparse.values().rows(range.start, range.end)?;
        cx.set_output(0, rows);
        cx.set_output(1, columns);
        cx.set_output(2, values);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    for i in 0..3 {
        cx.set_output(i, PartialShape::vector(None));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sparse;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(index: Tensor) -> Result<Vec<Tensor>> {
        let test = OpTest::new(register, "CSRSparseMatrixComponents");
        let batch = sparse([2, 2, 2], &[0f32, 1.0, 0.0, 0.0, 2.0, 0.0, 3.0, 4.0]);
        test.attr("type", DataType::Float).input(batch).input(index).run()
    }

    #[test]
    fn one_matrix_of_a_batch() {
        let out = run(Tensor::scalar(1i32)).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), &[0, 1, 3]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 0, 1]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), &[2.0, 3.0, 4.0]);
    }

    #[test]
    fn other_indices_are_refused() {
        assert!(run(Tensor::scalar(2i32)).is_err());
        assert!(run(Tensor::scalar(-1i32)).is_err());
        assert!(run(Tensor::vector(&[0i32]).unwrap()).is_err());
    }
}
