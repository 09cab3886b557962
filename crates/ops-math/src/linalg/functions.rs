//! MatrixSquareRoot and MatrixLogarithm, from the Schur form.

use downpour_graph::OpSpec;
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Complex128, Result};

use super::batch::{each, square_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::lu::Lu;
use super::matrix::Matrix;
use super::schur::Schur;
use super::shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let root = OpSpec::new(
        "MatrixSquareRoot(input: T) -> (output: T)
            T: {double, float, half, complex64, complex128}",
    )?;
    let root = root.gradient(gradients::square_root);
    registry.add(root.shape(shapes::square).tolerance(1e-4), |_| {
        Ok(KernelBox::function(|cx| compute(cx, root_of_triangle)))
    })?;
    let logarithm = OpSpec::new(
        "MatrixLogarithm(input: T) -> (output: T)
            T: {complex64, complex128}",
    )?;
    registry.add(logarithm.shape(shapes::square).tolerance(1e-4), |_| {
        Ok(KernelBox::function(|cx| compute(cx, logarithm_of_triangle)))
    })
}

type Triangle = Matrix<Complex128>;

fn compute(cx: &mut OpContext<'_>, function: fn(&Triangle) -> Triangle) -> Result<()> {
    let op = cx.node().op_name();
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let output = dispatch_linalg!(input.dtype(), op, T => {
        each::<T>(cx, &[input], 1, |m| {
            let schur = Schur::new(m[0].map(Field::to_complex))?;
            let value = schur.q.times(&function(&schur.t)).times(&schur.q.adjoint());
            Ok(vec![value.map(Field::of_complex).data])
        })?.tensor::<T>(0, &[n, n])
    })?;
    cx.set_output(0, output);
    Ok(())
}

/// The triangular root: diagonals first, then outwards, each element from those between.
fn root_of_triangle(t: &Triangle) -> Triangle {
    let n = t.rows;
    let mut r = Matrix::zeros(n, n);
    for i in 0..n {
        r[(i, i)] = t[(i, i)].sqrt();
    }
    for distance in 1..n {
        for i in 0..n - distance {
            let j = i + distance;
            let between: Complex128 = (i + 1..j).map(|k| r[(i, k)] * r[(k, j)]).sum();
            let divisor = r[(i, i)] + r[(j, j)];
            let rest = t[(i, j)] - between;
            r[(i, j)] = if rest.norm() == 0.0 { rest } else { rest / divisor };
        }
    }
    r
}

/// Roots are taken until the triangle is near one, where ln T = 2 artanh((T-1)(T+1)^-1) converges
/// quickly; each root is undone by a doubling.
fn logarithm_of_triangle(t: &Triangle) -> Triangle {
    let n = t.rows;
    let one = Matrix::identity(n);
    let combine = |a: &Triangle, b: &Triangle, sign: f64| {
        let data = a.data.iter().zip(&b.data).map(|(x, y)| x + y * sign).collect();
        Matrix { rows: n, columns: n, data }
    };
    let mut root = t.clone();
    let mut doublings = 0;
    // A singular triangle never comes near one; its logarithm is infinite anyway.
    while combine(&root, &one, -1.0).norm() > 0.1 && doublings < 60 {
        root = root_of_triangle(&root);
        doublings += 1;
    }
    // (T+1)^-1 and T-1 commute.
    let z = Lu::new(combine(&root, &one, 1.0)).solve(&combine(&root, &one, -1.0));
    let square = z.times(&z);
    let mut power = z.clone();
    let mut sum = z;
    for k in 1..12 {
        power = power.times(&square);
        let term = power.map(|v| v / (2 * k + 1) as f64);
        sum = combine(&sum, &term, 1.0);
    }
    let factor = 2f64.powi(doublings + 1);
    sum.map(|v| v * factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn roots_square_to_the_input() {
        let values = [5f64, 2., 1., 4.];
        let a = Tensor::from_slice([2, 2], &values).unwrap();
        let out = OpTest::new(register, "MatrixSquareRoot").input(a).run_one().unwrap();
        let r = Matrix { rows: 2, columns: 2, data: out.as_slice::<f64>().unwrap().to_vec() };
        for (x, y) in r.times(&r).data.iter().zip(values) {
            assert!((x - y).abs() < 1e-12);
        }
    }

    #[test]
    fn logarithms_of_known_matrices() {
        // exp([[0, a], [-a, 0]]) is the rotation by a.
        let a = 1.2f64;
        let c = |v: f64| Complex128::new(v, 0.0);
        let rotation = [c(a.cos()), c(a.sin()), c(-a.sin()), c(a.cos())];
        let t = Tensor::from_slice([2, 2], &rotation).unwrap();
        let out = OpTest::new(register, "MatrixLogarithm").input(t).run_one().unwrap();
        for (x, y) in out.as_slice::<Complex128>().unwrap().iter().zip([0.0, a, -a, 0.0]) {
            assert!((x - y).norm() < 1e-12, "{x} {y}");
        }
    }
}
