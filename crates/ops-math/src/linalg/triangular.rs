//! MatrixTriangularSolve: forward and backward substitution.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::batch::{each, matrix_size, square_size};
use super::field::{Field, dispatch_linalg};
use super::matrix::Matrix;
use super::shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types) in [
        ("MatrixTriangularSolve", "{bfloat16, double, float, half, complex64, complex128}"),
        ("BatchMatrixTriangularSolve", "{double, float}"),
    ] {
        let text = format!(
            "{name}(matrix: T, rhs: T) -> (output: T)
                lower: bool = true
                adjoint: bool = false
                T: {types}"
        );
        let spec = OpSpec::new(&text)?.shape(shapes::broadcast_solve).gradient(gradient);
        registry.add(spec.tolerance(1e-4), |_| Ok(KernelBox::function(compute)))?;
    }
    Ok(())
}

/// The solution of `a x = rhs` (or `a^H x = rhs`), reading one triangle of `a` only.
pub(super) fn solve_triangular<F: Field>(
    a: &Matrix<F>,
    rhs: &Matrix<F>,
    lower: bool,
    adjoint: bool,
) -> Matrix<F> {
    let at = |i: usize, j: usize| if adjoint { a[(j, i)].conjugate() } else { a[(i, j)] };
    substitute(at, a.rows, rhs, lower != adjoint)
}

/// Substitution with a triangular matrix given by `at`, whose rows reach at most `width` elements
/// from the diagonal.
pub(super) fn substitute<F: Field>(
    at: impl Fn(usize, usize) -> F,
    width: usize,
    rhs: &Matrix<F>,
    forward: bool,
) -> Matrix<F> {
    let n = rhs.rows;
    let mut x = rhs.clone();
    for step in 0..n {
        let i = if forward { step } else { n - 1 - step };
        let known = if forward {
            i.saturating_sub(width)..i
        } else {
            i + 1..n.min(i.saturating_add(width + 1))
        };
        for k in known {
            x.subtract_row(i, at(i, k), k);
        }
        x.divide_row(i, at(i, i));
    }
    x
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let (lower, adjoint) = (cx.node().bool("lower")?, cx.node().bool("adjoint")?);
    let (matrix, rhs) = (cx.input(0), cx.input(1));
    let n = square_size(op, matrix, 0)?;
    let (rows, columns) = matrix_size(op, rhs, 1)?;
    if rows != n {
        return Err(Status::invalid_argument(format!(
            "{op}: In[0] mismatch In[1] shape: {n} vs. {rows}: {} {}",
            matrix.shape(),
            rhs.shape()
        )));
    }
    let output = dispatch_linalg!(matrix.dtype(), op, T => {
        each::<T>(cx, &[matrix, rhs], 1, |m| {
            if columns > 0 && (0..n).any(|i| m[0][(i, i)] == Field::of(0.0)) {
                return Err(Status::invalid_argument("Input matrix is not invertible."));
            }
            Ok(vec![solve_triangular(&m[0], &m[1], lower, adjoint).data])
        })?.tensor::<T>(0, &[n, columns])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (lower, adjoint) = (cx.node().bool("lower")?, cx.node().bool("adjoint")?);
    let op = cx.node().op_name().to_string();
    let (matrix, rhs, solution, grad) = (cx.input(0), cx.input(1), cx.output(0), cx.grad(0)?);
    let attrs = Attrs::new().with("lower", lower).with("adjoint", !adjoint);
    let grad_rhs = cx.op_with(&op, &[matrix, grad], attrs)?;
    let (x, y) = if adjoint { (solution, grad_rhs) } else { (grad_rhs, solution) };
    let outer = cx.op_with("BatchMatMulV2", &[x, y], Attrs::new().with("adj_y", true))?;
    let negative = cx.op("Neg", &[outer])?;
    let (below, above) =
        (cx.scalar(if lower { -1i64 } else { 0 })?, cx.scalar(if lower { 0i64 } else { -1 })?);
    let grad_matrix = cx.op("MatrixBandPart", &[negative, below, above])?;
    let grad_matrix = batch_sum(cx, grad_matrix, matrix)?;
    let grad_rhs = batch_sum(cx, grad_rhs, rhs)?;
    Ok(vec![Gradient::Dense(grad_matrix), Gradient::Dense(grad_rhs)])
}

/// Sums a gradient over the batch axes along which its operand was broadcast.
fn batch_sum(
    cx: &mut GradientContext<'_, '_>,
    grad: downpour_graph::Endpoint,
    operand: downpour_graph::Endpoint,
) -> Result<downpour_graph::Endpoint> {
    cx.unbroadcast(grad, operand, grad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn substitution_in_each_direction() {
        let run = |lower: bool, adjoint: bool, matrix: [f32; 4]| {
            let out = OpTest::new(register, "MatrixTriangularSolve")
                .input(Tensor::from_vec([2, 2], matrix.to_vec()).unwrap())
                .input(Tensor::from_vec([2, 1], vec![2f32, 8.]).unwrap())
                .attr("lower", lower)
                .attr("adjoint", adjoint)
                .run_one()
                .unwrap();
            out.as_slice::<f32>().unwrap().to_vec()
        };
        // [[2,0],[3,5]] x = [2,8] -> [1,1]; its transpose -> [-1.4, 1.6]
        assert_eq!(run(true, false, [2., 77., 3., 5.]), &[1., 1.]);
        assert_eq!(run(true, true, [2., 77., 3., 5.]), &[-1.4, 1.6]);
        assert_eq!(run(false, false, [2., 3., 77., 5.]), &[-1.4, 1.6]);
        assert_eq!(run(false, true, [2., 3., 77., 5.]), &[1., 1.]);
    }

    #[test]
    fn batches_broadcast_and_zeros_are_refused() {
        let run = |matrix: Tensor, rhs: Tensor| {
            OpTest::new(register, "MatrixTriangularSolve").input(matrix).input(rhs).run_one()
        };
        let one = Tensor::from_vec([1, 1], vec![2f64]).unwrap();
        let many = Tensor::from_vec([3, 1, 1], vec![2f64, 4., 6.]).unwrap();
        assert_eq!(run(one.clone(), many).unwrap().as_slice::<f64>().unwrap(), &[1., 2., 3.]);
        let zero = Tensor::from_vec([1, 1], vec![0f64]).unwrap();
        assert!(run(zero, one.clone()).is_err());
        assert!(run(one, Tensor::from_vec([2, 1], vec![1f64, 2.]).unwrap()).is_err());
    }
}
