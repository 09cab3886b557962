//! SparseMatrixAdd: a weighted sum of two sparse matrices, with the places of both.

use std::cmp::Ordering;

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Status};

use crate::gradients::pruned;
use crate::matrix::{CsrMatrix, Rows, check_type, matrix};
use crate::number::{Number, dispatch_number};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseMatrixAdd(a: variant, b: variant, alpha: T, beta: T) -> (c: variant)
                T: {float, double, complex64, complex128}",
        )?
        .shape(infer)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (a, b) = (matrix(cx, 0)?, matrix(cx, 1)?);
    let (alpha, beta) = (cx.scalar_input(2)?, cx.scalar_input(3)?);
    check_type("a", a, alpha.dtype())?;
    check_type("b", b, alpha.dtype())?;
    let output = dispatch_number!(alpha.dtype(), "SparseMatrixAdd", T => {
        weighted_sum(a, b, alpha.to_scalar::<T>()?, beta.to_scalar::<T>()?, &|| cx.check_cancelled())
    })?;
    cx.set_output(0, output.into_tensor()?);
    Ok(())
}

/// Returns the sum of two matrices.
pub(crate) fn sum(a: &CsrMatrix, b: &CsrMatrix) -> Result<CsrMatrix> {
    if a.dtype() != b.dtype() {
        return Err(Status::invalid_argument(format!(
            "CSRSparseMatrixBinaryHelper: Inconsistent dtypes for input matrices, a dtype: {}, b \
             dtype: {}",
            a.dtype(),
            b.dtype()
        )));
    }
    dispatch_number!(a.dtype(), "AddN", T => weighted_sum(a, b, T::ONE, T::ONE, &|| Ok(())))
}

fn weighted_sum<T: Number>(
    a: &CsrMatrix,
    b: &CsrMatrix,
    alpha: T,
    beta: T,
    check: &dyn Fn() -> Result<()>,
) -> Result<CsrMatrix> {
    if a.shape() != b.shape() {
        return Err(Status::invalid_argument(format!(
            "Incompatible shapes of a and b, a.shape == {}, b.shape == {}",
            a.shape(),
            b.shape()
        )));
    }
    let mut parts = CountedVec::new();
    for batch in 0..a.batches() {
        check()?;
        let (x, y) = (a.component::<T>(batch)?, b.component::<T>(batch)?);
        let mut rows = Rows::new(a.rows())?;
        for row in 0..a.rows() {
            let (mut left, mut right) = (x.entries(row).peekable(), y.entries(row).peekable());
            loop {
                let order = match (left.peek(), right.peek()) {
                    (None, None) => break,
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (Some(l), Some(r)) => l.0.cmp(&r.0),
                };
                let l = if order.is_le() { left.next() } else { None };
                let r = if order.is_ge() { right.next() } else { None };
                match (l, r) {
                    (Some((column, v)), Some((_, w))) => rows.push(column, alpha * v + beta * w)?,
                    (Some((column, v)), None) => rows.push(column, alpha * v)?,
                    (None, Some((column, w))) => rows.push(column, beta * w)?,
                    (None, None) => break,
                }
            }
            rows.end_row()?;
        }
        parts.push(rows)?;
    }
    CsrMatrix::from_rows(a.shape().clone(), &parts)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(2, 0)?;
    cx.with_rank(3, 0)?;
    cx.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The gradient at the places of each matrix, times its weight; none for the weights.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let dtype = cx.node().dtype("T")?;
    let mut gradients = Vec::new();
    for i in 0..2 {
        let own = pruned(cx, grad, cx.input(i), dtype)?;
        let weight = cx.input(2 + i);
        gradients.push(Gradient::Dense(cx.op("SparseMatrixMul", &[own, weight])?));
    }
    gradients.extend([Gradient::None, Gradient::None]);
    Ok(gradients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{dense, sparse};
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(a: Tensor, b: Tensor, alpha: Tensor) -> Result<Tensor> {
        let test = OpTest::new(register, "SparseMatrixAdd").input(a).input(b);
        test.input(alpha).input(Tensor::scalar(10f32)).run_one()
    }

    #[test]
    fn places_of_both_are_in_the_sum() {
        let a = sparse([2, 1, 3], &[1f32, 2.0, 0.0, 0.0, 0.0, 3.0]);
        let b = sparse([2, 1, 3], &[0f32, 4.0, 5.0, 0.0, 0.0, 0.0]);
        let c = run(a, b, Tensor::scalar(2f32)).unwrap();
        assert_eq!(dense::<f32>(&c), [2.0, 44.0, 50.0, 0.0, 0.0, 6.0]);
    }

    #[test]
    fn other_shapes_and_types_are_refused() {
        let a = || sparse([1, 2], &[1f32, 2.0]);
        assert!(run(a(), sparse([2, 1], &[1f32, 2.0]), Tensor::scalar(1f32)).is_err());
        assert!(run(a(), sparse([1, 1, 2], &[1f32, 2.0]), Tensor::scalar(1f32)).is_err());
        assert!(run(a(), sparse([1, 2], &[1f64, 2.0]), Tensor::scalar(1f32)).is_err());
        assert!(run(a(), a(), Tensor::vector(&[1f32]).unwrap()).is_err());
    }
}
