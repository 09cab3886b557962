//! MatrixSolveLs: the smallest solution of the smallest residual, optionally regularised.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::batch::{each, matrix_size, same_batch};
use super::cholesky::cholesky;
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::shapes;
use super::svd::svd;
use super::triangular::solve_triangular;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types) in [
        ("MatrixSolveLs", "{double, float, half, complex64, complex128}"),
        ("BatchMatrixSolveLs", "{double, float}"),
    ] {
        let text = format!(
            "{name}(matrix: T, rhs: T, l2_regularizer: double) -> (output: T)
                T: {types}
                fast: bool = true"
        );
        let spec = OpSpec::new(&text)?.shape(shapes::rectangular_solve).tolerance(1e-4);
        let spec = spec.gradient(gradients::least_squares);
        registry.add(spec, |_| Ok(KernelBox::function(compute)))?;
    }
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let fast = cx.node().bool("fast")?;
    let (matrix, rhs, regularizer) = (cx.input(0), cx.input(1), cx.input(2));
    if regularizer.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "l2_regularizer must be scalar, got shape {}",
            regularizer.shape()
        )));
    }
    let regularizer = regularizer.to_scalar::<f64>()?;
    if regularizer.is_nan() || regularizer < 0.0 {
        return Err(Status::invalid_argument("l2_regularizer must be >= 0."));
    }
    let (m, n) = matrix_size(op, matrix, 0)?;
    let (rows, columns) = matrix_size(op, rhs, 1)?;
    if rows != m {
        return Err(Status::invalid_argument("Input matrix and rhs are incompatible."));
    }
    same_batch(op, matrix, rhs)?;
    let output = dispatch_linalg!(matrix.dtype(), op, T => {
        each::<T>(cx, &[matrix, rhs], 1, |a| {
            if m == 0 || n == 0 {
                return Ok(vec![Matrix::zeros(n, columns).data]);
            }
            let x = if fast {
                normal_equations(&a[0], &a[1], regularizer)?
            } else {
                pseudo_inverse(&a[0], &a[1])
            };
            Ok(vec![x.data])
        })?.tensor::<T>(0, &[n, columns])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn normal_equations<F: Field>(a: &Matrix<F>, b: &Matrix<F>, regularizer: f64) -> Result<Matrix<F>> {
    let adjoint = a.adjoint();
    let tall = a.rows >= a.columns;
    let mut gram = if tall { adjoint.times(a) } else { a.times(&adjoint) };
    for i in 0..gram.rows {
        gram[(i, i)] = gram[(i, i)] + F::of(regularizer);
    }
    // A pivot that is all rounding error counts as none.
    let least = f64::EPSILON * gram.rows as f64;
    let sound = |root: &Matrix<F>| {
        (0..gram.rows).all(|i| root[(i, i)].real_part().powi(2) > least * gram[(i, i)].real_part())
    };
    let root = cholesky(&gram).filter(sound).ok_or_else(|| {
        Status::invalid_argument(
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide \
             a larger l2_regularizer > 0.",
        )
    })?;
    let solve = |rhs: &Matrix<F>| {
        solve_triangular(&root, &solve_triangular(&root, rhs, true, false), true, true)
    };
    Ok(if tall { solve(&adjoint.times(b)) } else { adjoint.times(&solve(b)) })
}

fn pseudo_inverse<F: Field>(a: &Matrix<F>, b: &Matrix<F>) -> Matrix<F> {
    let (s, u, v) = svd(a);
    let least = s.first().copied().unwrap_or(0.0) * f64::EPSILON * a.rows.max(a.columns) as f64;
    let mut projected = u.adjoint().times(b);
    for (i, &size) in s.iter().enumerate() {
        projected.scale_row(i, F::of(if size > least { 1.0 / size } else { 0.0 }));
    }
    v.times(&projected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn fits_a_line_both_ways() {
        // y = 1 + 2x through (0,1), (1,3), (2,5).
        let a = Tensor::from_vec([3, 2], vec![1f64, 0., 1., 1., 1., 2.]).unwrap();
        let b = Tensor::from_vec([3, 1], vec![1f64, 3., 5.]).unwrap();
        for fast in [true, false] {
            let x = OpTest::new(register, "MatrixSolveLs")
                .input(a.clone())
                .input(b.clone())
                .input(Tensor::scalar(0f64))
                .attr("fast", fast)
                .run_one()
                .unwrap();
            let x = x.as_slice::<f64>().unwrap();
            assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
        }
    }

    #[test]
    fn deficient_matrices_need_the_slow_way() {
        let a = Tensor::from_vec([2, 2], vec![1f64, 1., 1., 1.]).unwrap();
        let b = Tensor::from_vec([2, 1], vec![2f64, 2.]).unwrap();
        let run = |fast: bool, l2: f64| {
            OpTest::new(register, "MatrixSolveLs")
                .input(a.clone())
                .input(b.clone())
                .input(Tensor::scalar(l2))
                .attr("fast", fast)
                .run_one()
        };
        assert!(run(true, 0.0).is_err());
        assert!(run(true, -1.0).is_err());
        let x = run(false, 0.0).unwrap();
        assert!(x.as_slice::<f64>().unwrap().iter().all(|v| (v - 1.0).abs() < 1e-12));
    }
}
