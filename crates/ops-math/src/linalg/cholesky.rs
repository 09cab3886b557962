//! Cholesky and CholeskyGrad: the lower triangular root of a positive definite matrix.

use downpour_graph::{Gradient, GradientContext, OpSpec};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::batch::{each, same_batch, square_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::shapes;
use super::triangular::solve_triangular;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types) in [
        ("Cholesky", "{double, float, half, complex64, complex128}"),
        ("BatchCholesky", "{double, float}"),
    ] {
        let spec = OpSpec::new(&format!("{name}(input: T) -> (output: T)\nT: {types}"))?;
        let spec = spec.shape(shapes::square).gradient(gradient).tolerance(1e-4);
        registry.add(spec, |_| Ok(KernelBox::function(compute)))?;
    }
    for (name, types) in
        [("CholeskyGrad", "{half, float, double}"), ("BatchCholeskyGrad", "{float, double}")]
    {
        let spec = OpSpec::new(&format!("{name}(l: T, grad: T) -> (output: T)\nT: {types}"))?;
        let spec = spec.shape(shapes::square).tolerance(1e-4);
        registry.add(spec, |_| Ok(KernelBox::function(compute_gradient)))?;
    }
    Ok(())
}

/// The root, or `None` when the matrix is not positive definite. Only the lower triangle is read.
pub(super) fn cholesky<F: Field>(a: &Matrix<F>) -> Option<Matrix<F>> {
    let n = a.rows;
    let mut l = Matrix::zeros(n, n);
    for j in 0..n {
        let mut sum = a[(j, j)].real_part();
        for k in 0..j {
            let v: F = l[(j, k)];
            sum -= (v * v.conjugate()).real_part();
        }
        // Not-a-number fails here too.
        if sum.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let root = sum.sqrt();
        l[(j, j)] = F::of(root);
        for i in j + 1..n {
            let mut value = a[(i, j)];
            for k in 0..j {
                value = value - l[(i, k)] * l[(j, k)].conjugate();
            }
            l[(i, j)] = value.scaled(1.0 / root);
        }
    }
    Some(l)
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let output = dispatch_linalg!(input.dtype(), op, T => {
        each::<T>(cx, &[input], 1, |m| {
            let root = cholesky(&m[0]).unwrap_or_else(|| {
                // As TensorFlow does: a failed factorisation is a triangle of not-a-number.
                let mut l = Matrix::zeros(n, n);
                for i in 0..n {
                    for j in 0..=i {
                        l[(i, j)] = Field::of(f64::NAN);
                    }
                }
                l
            });
            Ok(vec![root.data])
        })?.tensor::<T>(0, &[n, n])
    })?;
    cx.set_output(0, output);
    Ok(())
}

/// L^-H P(L^H grad) L^-1 made symmetric, where P halves the diagonal and drops what is above it.
fn compute_gradient(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let (l, grad) = (cx.input(0), cx.input(1));
    let n = square_size(op, l, 0)?;
    if l.shape() != grad.shape() {
        return Err(Status::invalid_argument(format!(
            "{op}: Inputs must have the same shape, got {} and {}",
            l.shape(),
            grad.shape()
        )));
    }
    same_batch(op, l, grad)?;
    let output = dispatch_linalg!(l.dtype(), op, T => {
        each::<T>(cx, &[l, grad], 1, |m| {
            let lower = triangle(&m[0]);
            let mut middle = triangle(&lower.adjoint().times(&triangle(&m[1])));
            for i in 0..n {
                middle[(i, i)] = middle[(i, i)].scaled(0.5);
            }
            let left = solve_triangular(&lower, &middle, true, true);
            // X L^-1 is the adjoint of L^-H X^H.
            let full = solve_triangular(&lower, &left.adjoint(), true, true).adjoint();
            let mut out = full.adjoint();
            for (v, w) in out.data.iter_mut().zip(&full.data) {
                *v = (*v + *w).scaled(0.5);
            }
            Ok(vec![out.data])
        })?.tensor::<T>(0, &[n, n])
    })?;
    cx.set_output(0, output);
    Ok(())
}

/// The lower triangle.
fn triangle<F: Field>(a: &Matrix<F>) -> Matrix<F> {
    let mut out = a.clone();
    for i in 0..a.rows {
        for j in i + 1..a.columns {
            out[(i, j)] = F::ZERO;
        }
    }
    out
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    if cx.dtype(cx.input(0)).is_complex() {
        return gradients::cholesky(cx);
    }
    let (root, grad) = (cx.output(0), cx.grad(0)?);
    Ok(vec![Gradient::Dense(cx.op("CholeskyGrad", &[root, grad])?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Complex128, Tensor};

    #[test]
    fn roots() {
        let a = Tensor::from_vec([2, 2], vec![4f64, 99., 2., 5.]).unwrap();
        let l = OpTest::new(register, "Cholesky").input(a).run_one().unwrap();
        assert_eq!(l.as_slice::<f64>().unwrap(), &[2., 0., 1., 2.]);
        let i = Complex128::new(0.0, 1.0);
        let one = Complex128::new(1.0, 0.0);
        let a = Tensor::from_vec([2, 2], vec![one, -i, i, one * 2.0]).unwrap();
        let l = OpTest::new(register, "Cholesky").input(a).run_one().unwrap();
        assert_eq!(l.as_slice::<Complex128>().unwrap(), &[one, one * 0.0, i, one]);
        let bad = Tensor::from_vec([1, 1], vec![-1f64]).unwrap();
        let l = OpTest::new(register, "Cholesky").input(bad).run_one().unwrap();
        assert!(l.as_slice::<f64>().unwrap()[0].is_nan());
    }

    #[test]
    fn the_gradient_agrees_with_a_difference() {
        let root = |a: [f64; 4]| {
            let m = Matrix { rows: 2, columns: 2, data: a.to_vec() };
            cholesky(&m).unwrap()
        };
        let a = [4.0, 1.0, 1.0, 3.0];
        let l = Tensor::from_vec([2, 2], root(a).data).unwrap();
        let weights = [0.5, 0.0, -1.0, 2.0];
        let grad = Tensor::from_vec([2, 2], weights.to_vec()).unwrap();
        let out = OpTest::new(register, "CholeskyGrad").input(l).input(grad).run_one().unwrap();
        let got = out.as_slice::<f64>().unwrap();
        let value =
            |a: [f64; 4]| -> f64 { root(a).data.iter().zip(weights).map(|(x, w)| x * w).sum() };
        let h = 1e-6;
        let diagonal =
            (value([a[0] + h, a[1], a[2], a[3]]) - value([a[0] - h, a[1], a[2], a[3]])) / (2.0 * h);
        assert!((got[0] - diagonal).abs() < 1e-6);
        let off = (value([a[0], a[1] + h, a[2] + h, a[3]])
            - value([a[0], a[1] - h, a[2] - h, a[3]]))
            / (2.0 * h);
        assert!((got[1] + got[2] - off).abs() < 1e-6);
    }
}
