//! SparseMatrixTranspose: rows and columns exchanged, conjugated if asked.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor};

use crate::coo::check_sizes;
use crate::matrix::{CsrMatrix, check_type, matrix};
use crate::number::{Number, dispatch_number};
use crate::variant::conjugated;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixTranspose(input: variant) -> (output: variant)
                conjugate: bool = false
                type: {float, double, complex64, complex128}",
        )?
        .shape(shapes::scalar)
        .gradient(gradient),
        |build| {
            Ok(KernelBox::new(Transpose {
                conjugate: build.bool("conjugate")?,
                dtype: build.dtype("type")?,
            }))
        },
    )
}

struct Transpose {
    conjugate: bool,
    dtype: DataType,
}

impl Kernel for Transpose {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = matrix(cx, 0)?;
        check_type("input", input, self.dtype)?;
        let output = transposed(input, self.conjugate)?;
        cx.set_output(0, output.into_tensor()?);
        Ok(())
    }
}

/// Returns the transpose of each matrix.
pub(crate) fn transposed(matrix: &CsrMatrix, conjugate: bool) -> Result<CsrMatrix> {
    let turned =
        dispatch_number!(matrix.dtype(), "SparseMatrixTranspose", T => exchange::<T>(matrix))?;
    if conjugate { conjugated(&turned) } else { Ok(turned) }
}

fn exchange<T: Number>(matrix: &CsrMatrix) -> Result<CsrMatrix> {
    let rank = matrix.rank();
    let mut shape = matrix.shape().clone();
    shape.dims_mut().swap(rank - 2, rank - 1);
    let total = matrix.values().len();
    check_sizes(&shape, total)?;
    let block = matrix.columns_len() + 1;
    let mut pointers = CountedVec::filled(matrix.batches() * block, 0i32)?;
    let mut next = CountedVec::filled(block, 0usize)?;
    let mut columns = CountedVec::filled(total, 0i32)?;
    let mut values = CountedVec::filled(total, T::default())?;
    for batch in 0..matrix.batches() {
        let component = matrix.component::<T>(batch)?;
        let start = matrix.batch(batch)?.start;
        let own = &mut pointers[batch * block..][..block];
        component.columns.iter().for_each(|&column| own[column as usize + 1] += 1);
        for i in 1..block {
            own[i] += own[i - 1];
        }
        next.iter_mut().zip(&*own).for_each(|(next, &first)| *next = first as usize);
        for row in 0..component.rows() {
            for (column, value) in component.entries(row) {
                let place = start + next[column];
                columns[place] = row as i32;
                values[place] = value;
                next[column] += 1;
            }
        }
    }
    CsrMatrix::new(
        shape,
        matrix.batch_pointers().clone(),
        Tensor::vector(&pointers)?,
        Tensor::vector(&columns)?,
        Tensor::vector(&values)?,
    )
}

/// Returns numbers of matrices of this shape with rows and columns exchanged, for dense tensors.
pub(crate) fn transposed_dense(dense: &Tensor, conjugate: bool) -> Result<Tensor> {
    let rank = dense.rank();
    if rank < 2 {
        return Err(Status::internal("only matrices can be transposed"));
    }
    let (rows, width) = (dense.dims()[rank - 2], dense.dims()[rank - 1]);
    let mut shape = dense.shape().clone();
    shape.dims_mut().swap(rank - 2, rank - 1);
    dispatch_number!(dense.dtype(), "SparseMatrixMatMul", T => {
        let values = dense.as_slice::<T>()?;
        Tensor::build(shape, |out: &mut [T]| {
            let size = (rows * width).max(1);
            for (out, values) in out.chunks_exact_mut(size).zip(values.chunks_exact(size)) {
                for (i, o) in out.iter_mut().enumerate() {
                    let value = values[i % rows * width + i / rows];
                    *o = if conjugate { value.conjugate() } else { value };
                }
            }
        })
    })
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new()
        .with("type", cx.node().dtype("type")?)
        .with("conjugate", cx.node().bool("conjugate")?);
    Ok(vec![Gradient::Dense(cx.op_with("SparseMatrixTranspose", &[grad], attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Complex64;

    fn run(matrix: Tensor, dtype: DataType, conjugate: bool) -> Result<Tensor> {
        let test = OpTest::new(register, "SparseMatrixTranspose").attr("type", dtype);
        test.attr("conjugate", conjugate).input(matrix).run_one()
    }

    #[test]
    fn rows_become_columns() {
        let values = [0f32, 1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0, 6.0];
        let y = run(sparse([2, 2, 3], &values), DataType::Float, false).unwrap();
        let expected = [0f32, 3.0, 1.0, 0.0, 2.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0, 6.0];
        assert_eq!(dense::<f32>(&y), expected);
    }

    #[test]
    fn conjugates_only_if_asked() {
        let z = Complex64::new(1.0, 2.0);
        let x = || sparse([1, 1], &[z]);
        assert_eq!(dense::<Complex64>(&run(x(), DataType::Complex64, true).unwrap()), [z.conj()]);
        assert_eq!(dense::<Complex64>(&run(x(), DataType::Complex64, false).unwrap()), [z]);
        assert!(run(x(), DataType::Float, false).is_err());
    }
}
