//! TridiagonalSolve and TridiagonalMatMul.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::batch::{each, matrix_size, same_batch};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let solve = OpSpec::new(
        "TridiagonalSolve(diagonals: T, rhs: T) -> (output: T)
            partial_pivoting: bool = true
            perturb_singular: bool = false
            T: {double, float, complex64, complex128}",
    )?;
    let solve = solve.gradient(gradients::tridiagonal_solve);
    registry.add(solve.shape(solve_shape).tolerance(1e-4), factory)?;
    let multiply = OpSpec::new(
        "TridiagonalMatMul(superdiag: T, maindiag: T, subdiag: T, rhs: T) -> (output: T)
            T: {double, float, complex64, complex128}",
    )?;
    let multiply = multiply.gradient(gradients::tridiagonal_product);
    registry.add(multiply.shape(multiply_shape), |_| Ok(KernelBox::function(multiply_kernel)))
}

struct TridiagonalSolve {
    pivoting: bool,
    /// Replaces pivots that are (nearly) zero by small numbers instead of giving up.
    perturb: bool,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let (pivoting, perturb) = (build.bool("partial_pivoting")?, build.bool("perturb_singular")?);
    if perturb && !pivoting {
        return Err(Status::invalid_argument(
            "Setting perturb_singular requires also setting partial_pivoting.",
        ));
    }
    Ok(KernelBox::new(TridiagonalSolve { pivoting, perturb }))
}

impl Kernel for TridiagonalSolve {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let op = cx.node().op_name();
        let (diagonals, rhs) = (cx.input(0), cx.input(1));
        let (count, n) = matrix_size(op, diagonals, 0)?;
        let (rows, columns) = matrix_size(op, rhs, 1)?;
        if count != 3 {
            return Err(Status::invalid_argument(format!(
                "Expected diagonals to be provided as a matrix with 3 rows, got {count} rows."
            )));
        }
        if rows != n {
            return Err(Status::invalid_argument(format!(
                "Expected the same number of left-hand sides and right-hand sides, got {n} and {rows}."
            )));
        }
        same_batch(op, diagonals, rhs)?;
        // Rounding errors of the element type are what makes a pivot count as zero.
        let epsilon = match diagonals.dtype() {
            downpour_tensor::DataType::Float | downpour_tensor::DataType::Complex64 => {
                f32::EPSILON as f64
            }
            _ => f64::EPSILON,
        };
        let output = dispatch_linalg!(diagonals.dtype(), op, T => {
            each::<T>(cx, &[diagonals, rhs], 1, |m| {
                let solved = if self.pivoting {
                    let perturb = self.perturb.then_some(epsilon);
                    eliminate(&m[0], &m[1], perturb)
                } else {
                    thomas(&m[0], &m[1])
                };
                // As TensorFlow does: a singular matrix gives not-a-number.
                Ok(vec![match solved {
                    Some(x) => x.data,
                    None => vec![Field::of(f64::NAN); n * columns],
                }])
            })?.tensor::<T>(0, &[n, columns])
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// Elimination without exchanges; `None` when a pivot is zero.
fn thomas<F: Field>(diagonals: &Matrix<F>, rhs: &Matrix<F>) -> Option<Matrix<F>> {
    let n = diagonals.columns;
    let (above, main, below) = (diagonals.row(0), diagonals.row(1), diagonals.row(2));
    let mut x = rhs.clone();
    let mut upper = vec![F::ZERO; n];
    for i in 0..n {
        let pivot = if i == 0 { main[0] } else { main[i] - below[i] * upper[i - 1] };
        if pivot == F::ZERO {
            return None;
        }
        upper[i] = above[i] / pivot;
        if i > 0 {
            x.subtract_row(i, below[i], i - 1);
        }
        x.divide_row(i, pivot);
    }
    for i in (0..n.saturating_sub(1)).rev() {
        x.subtract_row(i, upper[i], i + 1);
    }
    Some(x)
}

/// Elimination that exchanges neighbouring rows; the triangle has two diagonals above the main one.
fn eliminate<F: Field>(
    diagonals: &Matrix<F>,
    rhs: &Matrix<F>,
    perturb: Option<f64>,
) -> Option<Matrix<F>> {
    let n = diagonals.columns;
    let (above, main, below) = (diagonals.row(0), diagonals.row(1), diagonals.row(2));
    let mut x = rhs.clone();
    if n == 0 {
        return Some(x);
    }
    let mut u = vec![[F::ZERO; 3]; n];
    u[0] = [main[0], if n > 1 { above[0] } else { F::ZERO }, F::ZERO];
    for k in 0..n - 1 {
        let next_above = if k + 2 < n { above[k + 1] } else { F::ZERO };
        let (low, diagonal) = (below[k + 1], main[k + 1]);
        if u[k][0].magnitude() >= low.magnitude() {
            if low == F::ZERO {
                u[k + 1] = [diagonal, next_above, F::ZERO];
                continue;
            }
            let factor = low / u[k][0];
            u[k + 1] = [diagonal - factor * u[k][1], next_above, F::ZERO];
            x.subtract_row(k + 1, factor, k);
        } else {
            let factor = u[k][0] / low;
            let old = u[k][1];
            u[k] = [low, diagonal, next_above];
            u[k + 1] = [old - factor * diagonal, -(factor * next_above), F::ZERO];
            x.swap_rows(k, k + 1);
            x.subtract_row(k + 1, factor, k);
        }
    }
    let largest = u.iter().flatten().map(|v| v.magnitude()).fold(0.0, f64::max);
    for k in (0..n).rev() {
        let mut pivot = u[k][0];
        match perturb {
            None if pivot == F::ZERO => return None,
            Some(epsilon) => {
                let least = (epsilon * largest).max(f64::MIN_POSITIVE.sqrt());
                if pivot.magnitude() < least {
                    pivot = F::of(if pivot.real_part() < 0.0 { -least } else { least });
                }
            }
            None => {}
        }
        for (step, &factor) in u[k].iter().enumerate().skip(1).take(2) {
            if k + step < n {
                x.subtract_row(k, factor, k + step);
            }
        }
        x.divide_row(k, pivot);
    }
    Some(x)
}

fn multiply_kernel(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let inputs: Vec<_> = (0..4).map(|i| cx.input(i)).collect();
    let (n, columns) = matrix_size(op, inputs[3], 3)?;
    for (input, name) in inputs.iter().zip(["superdiagonal", "main diagonal", "subdiagonal"]) {
        if matrix_size(op, input, 0)? != (1, n) {
            return Err(Status::invalid_argument(format!("Invalid {name} shape.")));
        }
        same_batch(op, input, inputs[3])?;
    }
    let output = dispatch_linalg!(inputs[3].dtype(), op, T => {
        each::<T>(cx, &inputs, 1, |m| {
            let mut out = Matrix::zeros(n, columns);
            for i in 0..n {
                out.add_to_row(i, m[1].data[i], m[3].row(i));
                if i + 1 < n {
                    out.add_to_row(i, m[0].data[i], m[3].row(i + 1));
                }
                if i > 0 {
                    out.add_to_row(i, m[2].data[i], m[3].row(i - 1));
                }
            }
            Ok(vec![out.data])
        })?.tensor::<T>(0, &[n, columns])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn solve_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a_batch, count, n) = shapes::split(cx, 0)?;
    let (b_batch, rows, columns) = shapes::split(cx, 1)?;
    cx.merge_dim(count, Some(3))?;
    let batch = cx.merge(&a_batch, &b_batch)?;
    let n = cx.merge_dim(n, rows)?;
    cx.set_output(0, batch.concat(&PartialShape::matrix(n, columns)));
    Ok(())
}

fn multiply_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (mut batch, mut n, columns) = shapes::split(cx, 3)?;
    for i in 0..3 {
        let (own, one, size) = shapes::split(cx, i)?;
        cx.merge_dim(one, Some(1))?;
        batch = cx.merge(&batch, &own)?;
        n = cx.merge_dim(n, size)?;
    }
    cx.set_output(0, batch.concat(&PartialShape::matrix(n, columns)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn solve(diagonals: &[f64], rhs: &[f64], attr: &str, value: bool) -> Result<Vec<f64>> {
        let n = rhs.len();
        OpTest::new(register, "TridiagonalSolve")
            .input(Tensor::from_slice([3, n], diagonals)?)
            .input(Tensor::from_slice([n, 1], rhs)?)
            .attr(attr, value)
            .run_one()
            .map(|t| t.as_slice::<f64>().unwrap().to_vec())
    }

    #[test]
    fn with_and_without_exchanges() {
        // [[1,2,0],[3,4,5],[0,6,7]] * [1,1,1] = [3,12,13]
        let diagonals = [2., 5., 0., 1., 4., 7., 0., 3., 6.];
        for pivoting in [true, false] {
            let x = solve(&diagonals, &[3., 12., 13.], "partial_pivoting", pivoting).unwrap();
            assert!(x.iter().all(|v| (v - 1.0).abs() < 1e-12), "{x:?}");
        }
        // [[0,1],[1,0]] needs an exchange.
        let swap = [1., 0., 0., 0., 0., 1.];
        assert_eq!(solve(&swap, &[3., 4.], "partial_pivoting", true).unwrap(), &[4., 3.]);
        assert!(solve(&swap, &[3., 4.], "partial_pivoting", false).unwrap()[0].is_nan());
        let singular = [0., 0., 0.];
        assert!(solve(&singular, &[1.], "partial_pivoting", true).unwrap()[0].is_nan());
        assert!(solve(&singular, &[1.], "perturb_singular", true).unwrap()[0].is_finite());
        assert!(solve(&[1., 1., 1.], &[1.], "partial_pivoting", true).is_ok());
    }

    #[test]
    fn products() {
        let vector = |v: &[f64]| Tensor::from_slice([1, 2], v).unwrap();
        let out = OpTest::new(register, "TridiagonalMatMul")
            .input(vector(&[2., 9.]))
            .input(vector(&[1., 4.]))
            .input(vector(&[9., 3.]))
            .input(Tensor::from_vec([2, 1], vec![1f64, 10.]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(out.as_slice::<f64>().unwrap(), &[21., 43.]);
    }
}
