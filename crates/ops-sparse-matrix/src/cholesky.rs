//! SparseMatrixSparseCholesky: the lower triangular factor of Hermitian positive definite matrices whose rows and
//! columns are reordered first.
//!
//! Only the lower triangle is read. Row k of the factor has values where the elimination tree leads from the columns of
//! row k of the matrix up to k; the factor is made row by row (up-looking), and its columns are kept beside for the rows
//! that follow.

use downpour_graph::{OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Status};

use crate::matrix::{Component, CsrMatrix, Rows, matrix};
use crate::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixSparseCholesky(input: variant, permutation: int32) -> (output: variant)
                type: {float, double, complex64, complex128}",
        )?
        .shape(infer),
        |build| Ok(KernelBox::new(Cholesky { dtype: build.dtype("type")? })),
    )
}

struct Cholesky {
    dtype: DataType,
}

impl Kernel for Cholesky {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = matrix(cx, 0)?;
        self.check(input, cx.input(1).dims())?;
        let permutation = cx.input(1).as_slice::<i32>()?;
        let factor = dispatch_number!(self.dtype, "SparseMatrixSparseCholesky", T => {
            let mut parts = CountedVec::new();
            for batch in 0..input.batches() {
                let order = &permutation[batch * input.rows()..][..input.rows()];
                let places = inverse(order)?;
                let factor = factorize(cx, &input.component::<T>(batch)?, &places)?;
                parts.push(factor.ok_or_else(|| failed(batch))?)?;
            }
            CsrMatrix::from_rows(input.shape().clone(), &parts)
        })?;
        cx.set_output(0, factor.into_tensor()?);
        Ok(())
    }
}

fn failed(batch: usize) -> Status {
    Status::invalid_argument(format!(
        "Sparse Cholesky factorization failed for batch index {batch}. The input might not be valid."
    ))
}

impl Cholesky {
    fn check(&self, input: &CsrMatrix, permutation: &[usize]) -> Result<()> {
        let wrong = |what: String| Err(Status::invalid_argument(what));
        let (rank, rows) = (input.rank(), input.rows());
        if input.dtype() != self.dtype {
            return wrong(format!(
                "Asked for a CSRSparseMatrix of type {} but saw dtype: {}",
                self.dtype,
                input.dtype()
            ));
        }
        if rows != input.columns_len() {
            return wrong(format!(
                "sparse matrix must be square; got: {rows} != {}",
                input.columns_len()
            ));
        }
        if permutation.len() + 1 != rank {
            return wrong(format!(
                "sparse matrix must have the same rank as permutation; got: {rank} != {} + 1.",
                permutation.len()
            ));
        }
        if permutation[rank - 2] != rows {
            return wrong(format!(
                "permutation must have the same number of elements in each batch as the number of \
                 rows in sparse matrix; got: {} != {rows}",
                permutation[rank - 2]
            ));
        }
        if rank == 3 && permutation[0] != input.batches() {
            return wrong(format!(
                "permutation must have the same batch size as sparse matrix; got: {} != {}",
                permutation[0],
                input.batches()
            ));
        }
        Ok(())
    }
}

/// Returns the new place of each row.
fn inverse(order: &[i32]) -> Result<CountedVec<usize>> {
    const UNSET: usize = usize::MAX;
    let mut places = CountedVec::filled(order.len(), UNSET)?;
    for (new, &old) in order.iter().enumerate() {
        let place = usize::try_from(old).ok().and_then(|old| places.get_mut(old));
        match place {
            Some(place) if *place == UNSET => *place = new,
            _ => {
                return Err(Status::invalid_argument(format!(
                    "permutation must have each of the integers in [0, {}) exactly once; {old} is \
                     outside or repeated",
                    order.len()
                )));
            }
        }
    }
    Ok(places)
}

/// The lower triangle of the reordered matrix, as lists of the values of each row.
struct Lower<T> {
    starts: CountedVec<usize>,
    values: CountedVec<(usize, T)>,
}

impl<T: Number> Lower<T> {
    fn new(matrix: &Component<'_, T>, places: &[usize]) -> Result<Lower<T>> {
        let n = matrix.rows();
        let moved = |visit: &mut dyn FnMut(usize, usize, T)| {
            for row in 0..n {
                for (column, value) in matrix.entries(row).filter(|&(column, _)| column <= row) {
                    let (i, j) = (places[row], places[column]);
                    match i >= j {
                        true => visit(i, j, value),
                        false => visit(j, i, value.conjugate()),
                    }
                }
            }
        };
        let mut starts = CountedVec::filled(n + 1, 0usize)?;
        moved(&mut |i, _, _| starts[i + 1] += 1);
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.try_clone()?;
        let mut values = CountedVec::filled(starts[n], (0, T::default()))?;
        moved(&mut |i, j, value| {
            values[next[i]] = (j, value);
            next[i] += 1;
        });
        Ok(Lower { starts, values })
    }

    fn row(&self, row: usize) -> &[(usize, T)] {
        &self.values[self.starts[row]..self.starts[row + 1]]
    }
}

/// Returns the factor, or nothing if the matrix is not positive definite.
fn factorize<T: Number>(
    cx: &OpContext<'_>,
    matrix: &Component<'_, T>,
    places: &[usize],
) -> Result<Option<Rows<T>>> {
    let n = matrix.rows();
    let lower = Lower::new(matrix, places)?;
    const ROOT: usize = usize::MAX;
    let mut parents = CountedVec::filled(n, ROOT)?;
    let mut seen = CountedVec::filled(n, ROOT)?;
    let mut diagonal = CountedVec::filled(n, T::default())?;
    // The part of the current row that is still to be eliminated.
    let mut rest = CountedVec::filled(n, T::default())?;
    // Below the diagonal, for each column.
    let mut columns: CountedVec<CountedVec<(usize, T)>> =
        CountedVec::build(n, |_| Ok(CountedVec::new()))?;
    let mut reached = CountedVec::new();
    let mut factor = Rows::new(n)?;
    for k in 0..n {
        cx.check_cancelled()?;
        seen[k] = k;
        reached.truncate(0);
        rest[k] = T::default();
        for &(column, value) in lower.row(k) {
            rest[column] += value;
            let mut at = column;
            while seen[at] != k {
                seen[at] = k;
                reached.push(at)?;
                if parents[at] == ROOT {
                    parents[at] = k;
                }
                at = parents[at];
            }
        }
        // A column's parent is a later column, so their order is the order of elimination.
        reached.sort_unstable();
        let mut pivot = rest[k].real_part();
        for &i in reached.iter() {
            let value = rest[i] / diagonal[i];
            rest[i] = T::default();
            for &(row, below) in columns[i].iter() {
                rest[row] = rest[row] - value * below.conjugate();
            }
            pivot = pivot - (value * value.conjugate()).real_part();
            columns[i].push((k, value))?;
            factor.push(i, value)?;
        }
        rest[k] = T::default();
        if pivot.is_not_positive() {
            return Ok(None);
        }
        diagonal[k] = pivot.root_of_real_part();
        factor.push(k, diagonal[k])?;
        factor.end_row()?;
    }
    Ok(Some(factor))
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank_at_least(1, 1)?;
    shapes::scalar(cx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Complex128, Element, Tensor};

    fn run(matrix: Tensor, dtype: DataType, order: Tensor) -> Result<Tensor> {
        let test = OpTest::new(register, "SparseMatrixSparseCholesky").attr("type", dtype);
        test.input(matrix).input(order).run_one()
    }

    #[test]
    fn factors_multiply_to_the_reordered_matrix() {
        let i = Complex128::new(0.0, 1.0);
        let r = |v: f64| Complex128::new(v, 0.0);
        let a = [r(4.0), i * -2.0, r(1.0), i * 2.0, r(6.0), r(0.0), r(1.0), r(0.0), r(3.0)];
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let l = run(sparse([3, 3], &a), Complex128::DTYPE, Tensor::vector(&order).unwrap());
            let l = dense::<Complex128>(&l.unwrap());
            for row in 0..3 {
                for column in 0..3 {
                    let product: Complex128 =
                        (0..3).map(|k| l[3 * row + k] * l[3 * column + k].conj()).sum();
                    let expected = a[3 * order[row] as usize + order[column] as usize];
                    assert!((product - expected).norm() < 1e-12, "{order:?} {row} {column}");
                    assert!(column <= row || l[3 * row + column] == r(0.0));
                }
            }
        }
    }

    #[test]
    fn each_matrix_has_its_order() {
        let a = sparse([2, 2, 2], &[4f32, 2.0, 2.0, 5.0, 5.0, 2.0, 2.0, 4.0]);
        let order = Tensor::from_vec([2, 2], vec![0i32, 1, 1, 0]).unwrap();
        let l = dense::<f32>(&run(a, DataType::Float, order).unwrap());
        assert_eq!(l, [2.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0, 2.0]);
    }

    #[test]
    fn bad_input_is_refused() {
        let a = || sparse([2, 2], &[4f32, 2.0, 2.0, 5.0]);
        let run = |a, order: &[i32]| run(a, DataType::Float, Tensor::vector(order).unwrap());
        assert!(run(a(), &[0, 1]).is_ok());
        assert!(run(a(), &[0, 0]).is_err());
        assert!(run(a(), &[0, 2]).is_err());
        assert!(run(a(), &[0, -1]).is_err());
        assert!(run(a(), &[0]).is_err());
        assert!(run(sparse([2, 2], &[1f32, 2.0, 2.0, 1.0]), &[0, 1]).is_err(), "not positive");
        assert!(run(sparse([2, 2], &[0f32; 4]), &[0, 1]).is_err(), "no diagonal");
        assert!(run(sparse([1, 2], &[1f32, 2.0]), &[0]).is_err(), "not square");
    }
}
