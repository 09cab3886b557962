//! SparseMatrixSparseMatMul: the product of two sparse matrices, as a sparse matrix.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Shape, Status};

use crate::gradients::sparse_mat_mul_gradient;
use crate::mat_mul::Turn;
use crate::matrix::{Component, CsrMatrix, Rows, check_type, matrix};
use crate::number::{Number, dispatch_number};
use crate::transpose::transposed;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixSparseMatMul(a: variant, b: variant) -> (c: variant)
                type: {float, double, complex64, complex128}
                transpose_a: bool = false
                transpose_b: bool = false
                adjoint_a: bool = false
                adjoint_b: bool = false",
        )?
        .shape(shapes::scalar)
        .gradient(sparse_mat_mul_gradient),
        |build| {
            Ok(KernelBox::new(SparseMatMul {
                a: Turn::new(build, "a")?,
                b: Turn::new(build, "b")?,
                dtype: build.dtype("type")?,
            }))
        },
    )
}

struct SparseMatMul {
    a: Turn,
    b: Turn,
    dtype: DataType,
}

impl Kernel for SparseMatMul {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (a, b) = (matrix(cx, 0)?, matrix(cx, 1)?);
        check_type("a", a, self.dtype)?;
        check_type("b", b, self.dtype)?;
        let turned = |matrix, turn: Turn| -> Result<Option<CsrMatrix>> {
            if turn.transpose { transposed(matrix, turn.conjugate).map(Some) } else { Ok(None) }
        };
        let (turned_a, turned_b) = (turned(a, self.a)?, turned(b, self.b)?);
        let (a, b) = (turned_a.as_ref().unwrap_or(a), turned_b.as_ref().unwrap_or(b));
        let shape = product_shape(a, b)?;
        let product = dispatch_number!(self.dtype, "SparseMatrixSparseMatMul", T => {
            multiply::<T>(cx, a, b, shape)
        })?;
        cx.set_output(0, product.into_tensor()?);
        Ok(())
    }
}

fn product_shape(a: &CsrMatrix, b: &CsrMatrix) -> Result<Shape> {
    let (batches_a, batches_b) = (a.batches(), b.batches());
    if a.rank() != b.rank() || (batches_a != batches_b && batches_a != 1 && batches_b != 1) {
        return Err(Status::invalid_argument(format!(
            "Batch sizes of A and B are not compatible.  Batch sizes are: {batches_a} vs. \
             {batches_b}; shapes are: {} vs. {}",
            a.shape(),
            b.shape()
        )));
    }
    if a.columns_len() != b.rows() {
        return Err(Status::invalid_argument(format!(
            "Inner product dimensions of A and B do not agree.  Shapes are: {} vs. {}",
            a.shape(),
            b.shape()
        )));
    }
    let matrix = [a.rows() as i64, b.columns_len() as i64];
    match a.rank() {
        2 => Shape::from_i64(&matrix),
        _ => Shape::from_i64(&[batches_a.max(batches_b) as i64, matrix[0], matrix[1]]),
    }
}

fn multiply<T: Number>(
    cx: &OpContext<'_>,
    a: &CsrMatrix,
    b: &CsrMatrix,
    shape: Shape,
) -> Result<CsrMatrix> {
    let batches = if shape.rank() == 2 { 1 } else { shape[0] };
    let mut sums = Sums {
        values: CountedVec::filled(b.columns_len(), T::default())?,
        used: CountedVec::filled(b.columns_len(), false)?,
        columns: CountedVec::new(),
    };
    let mut parts = CountedVec::new();
    for batch in 0..batches {
        let own = |matrix: &CsrMatrix| if matrix.batches() == 1 { 0 } else { batch };
        let (x, y) = (a.component::<T>(own(a))?, b.component::<T>(own(b))?);
        let mut rows = Rows::new(x.rows())?;
        for row in 0..x.rows() {
            cx.check_cancelled()?;
            sums.add_row(&x, row, &y)?;
            sums.drain_into(&mut rows)?;
        }
        parts.push(rows)?;
    }
    CsrMatrix::from_rows(shape, &parts)
}

/// One row of the product while it is summed up.
struct Sums<T> {
    values: CountedVec<T>,
    used: CountedVec<bool>,
    /// The columns in use.
    columns: CountedVec<usize>,
}

impl<T: Number> Sums<T> {
    fn add_row(&mut self, x: &Component<'_, T>, row: usize, y: &Component<'_, T>) -> Result<()> {
        for (inner, factor) in x.entries(row) {
            for (column, value) in y.entries(inner) {
                let product = factor * value;
                if self.used[column] {
                    self.values[column] += product;
                } else {
                    self.used[column] = true;
                    self.values[column] = product;
                    self.columns.push(column)?;
                }
            }
        }
        Ok(())
    }

    /// Gives the row away, in the order of its columns. Sums that are zero stay, as in TensorFlow.
    fn drain_into(&mut self, rows: &mut Rows<T>) -> Result<()> {
        self.columns.sort_unstable();
        for &column in self.columns.iter() {
            rows.push(column, self.values[column])?;
            self.used[column] = false;
        }
        self.columns.truncate(0);
        rows.end_row()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn test(a: Tensor, b: Tensor) -> OpTest {
        let test = OpTest::new(register, "SparseMatrixSparseMatMul");
        test.attr("type", DataType::Float).input(a).input(b)
    }

    #[test]
    fn products_with_and_without_transposes() {
        let a = || sparse([2, 3], &[1f32, 0.0, 2.0, 0.0, 3.0, 0.0]);
        let b = || sparse([3, 2], &[0f32, 1.0, 2.0, 0.0, 0.0, 4.0]);
        assert_eq!(dense::<f32>(&test(a(), b()).run_one().unwrap()), [0.0, 9.0, 6.0, 0.0]);
        let turned = test(b(), a()).attr("transpose_a", true).attr("adjoint_b", true);
        assert_eq!(dense::<f32>(&turned.run_one().unwrap()), [0.0, 6.0, 9.0, 0.0]);
    }

    #[test]
    fn one_matrix_serves_a_whole_batch() {
        let a = sparse([1, 1, 2], &[1f32, 2.0]);
        let b = sparse([2, 2, 1], &[1f32, 0.0, 3.0, 4.0]);
        assert_eq!(dense::<f32>(&test(a, b).run_one().unwrap()), [1.0, 11.0]);
    }

    #[test]
    fn zeros_that_come_out_are_kept() {
        let product = test(sparse([1, 2], &[1f32, 1.0]), sparse([2, 1], &[1f32, -1.0]));
        let count = OpTest::new(crate::nnz::register, "SparseMatrixNNZ");
        let count = count.input(product.run_one().unwrap()).run_one().unwrap();
        assert_eq!(count.to_scalar::<i32>().unwrap(), 1);
    }

    #[test]
    fn other_shapes_are_refused() {
        let a = || sparse([2, 3], &[1f32; 6]);
        assert!(test(a(), a()).run_one().is_err());
        assert!(test(a(), sparse([1, 3, 1], &[1f32; 3])).run_one().is_err());
        let batches = test(sparse([2, 1, 1], &[1f32; 2]), sparse([3, 1, 1], &[1f32; 3]));
        assert!(batches.run_one().is_err());
        assert!(test(a(), sparse([3, 1], &[1f64; 3])).run_one().is_err());
        let both = test(a(), a()).attr("transpose_b", true).attr("adjoint_b", true);
        assert!(both.run_one().is_err());
    }
}
