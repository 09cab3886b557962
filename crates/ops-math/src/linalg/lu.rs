//! Lu, MatrixInverse, MatrixSolve, MatrixDeterminant, LogMatrixDeterminant: elimination with row exchanges.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::batch::{each, matrix_size, same_batch, square_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::shapes;

const TYPES: &str = "{double, float, half, complex64, complex128}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types) in [("MatrixInverse", TYPES), ("BatchMatrixInverse", "{double, float}")] {
        let text = format!("{name}(input: T) -> (output: T)\nadjoint: bool = false\nT: {types}");
        let spec = OpSpec::new(&text)?.shape(shapes::square).gradient(inverse_gradient);
        registry.add(spec.tolerance(1e-4), |_| Ok(KernelBox::function(inverse)))?;
    }
    for (name, types) in [("MatrixSolve", TYPES), ("BatchMatrixSolve", "{double, float}")] {
        let text =
            format!("{name}(matrix: T, rhs: T) -> (output: T)\nadjoint: bool = false\nT: {types}");
        let spec = OpSpec::new(&text)?.shape(shapes::square_solve).gradient(solve_gradient);
        registry.add(spec.tolerance(1e-4), |_| Ok(KernelBox::function(solve)))?;
    }
    for (name, types) in [
        ("MatrixDeterminant", TYPES),
        ("BatchMatrixDeterminant", "{float, double, complex64, complex128}"),
    ] {
        let text = format!("{name}(input: T) -> (output: T)\nT: {types}");
        let spec = OpSpec::new(&text)?.shape(shapes::numbers).gradient(determinant_gradient);
        registry.add(spec.tolerance(1e-4), |_| Ok(KernelBox::function(determinant)))?;
    }
    let text =
        format!("LogMatrixDeterminant(input: T) -> (sign: T, log_abs_determinant: T)\nT: {TYPES}");
    let spec = OpSpec::new(&text)?.shape(shapes::numbers).tolerance(1e-4);
    let spec = spec.gradient(gradients::log_determinant);
    registry.add(spec, |_| Ok(KernelBox::function(log_determinant)))?;
    let text = format!(
        "Lu(input: T) -> (lu: T, p: output_idx_type)
            T: {TYPES}
            output_idx_type: {{int32, int64}} = int32"
    );
    let spec = OpSpec::new(&text)?.shape(lu_shape).tolerance(1e-4);
    registry.add(spec, |_| Ok(KernelBox::function(lu)))
}

/// L below the diagonal and U on and above it; row i of the product is row `order[i]` of the input.
pub(super) struct Lu<F> {
    pub factors: Matrix<F>,
    pub order: Vec<usize>,
    odd: bool,
}

impl<F: Field> Lu<F> {
    pub fn new(mut a: Matrix<F>) -> Lu<F> {
        let n = a.rows;
        let mut order: Vec<usize> = (0..n).collect();
        let mut odd = false;
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[(i, k)].magnitude() > a[(pivot, k)].magnitude() {
                    pivot = i;
                }
            }
            if pivot != k {
                a.swap_rows(pivot, k);
                order.swap(pivot, k);
                odd = !odd;
            }
            if a[(k, k)] == F::ZERO {
                continue;
            }
            for i in k + 1..n {
                let factor = a[(i, k)] / a[(k, k)];
                a[(i, k)] = factor;
                for j in k + 1..n {
                    a[(i, j)] = a[(i, j)] - factor * a[(k, j)];
                }
            }
        }
        Lu { factors: a, order, odd }
    }

    /// False when a pivot is zero, or not a number.
    pub fn is_invertible(&self) -> bool {
        (0..self.factors.rows).all(|i| self.factors[(i, i)].magnitude() > 0.0)
    }

    pub fn solve(&self, rhs: &Matrix<F>) -> Matrix<F> {
        let n = self.factors.rows;
        let mut x = Matrix::zeros(n, rhs.columns);
        for i in 0..n {
            x.add_to_row(i, F::ONE, rhs.row(self.order[i]));
            for k in 0..i {
                x.subtract_row(i, self.factors[(i, k)], k);
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x.subtract_row(i, self.factors[(i, k)], k);
            }
            x.divide_row(i, self.factors[(i, i)]);
        }
        x
    }

    fn pivots(&self) -> impl Iterator<Item = F> {
        (0..self.factors.rows).map(|i| self.factors[(i, i)])
    }

    fn sign(&self) -> F {
        if self.odd { -F::ONE } else { F::ONE }
    }
}

fn inverse(cx: &mut OpContext<'_>) -> Result<()> {
    let (op, adjoint) = (cx.node().op_name(), cx.node().bool("adjoint")?);
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let output = dispatch_linalg!(input.dtype(), op, T => {
        each::<T>(cx, &[input], 1, |m| {
            let matrix = if adjoint { m[0].adjoint() } else { m[0].clone() };
            let lu = Lu::new(matrix);
            if !lu.is_invertible() {
                return Err(Status::invalid_argument("Input is not invertible."));
            }
            Ok(vec![lu.solve(&Matrix::identity(n)).data])
        })?.tensor::<T>(0, &[n, n])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn solve(cx: &mut OpContext<'_>) -> Result<()> {
    let (op, adjoint) = (cx.node().op_name(), cx.node().bool("adjoint")?);
    let (matrix, rhs) = (cx.input(0), cx.input(1));
    let n = square_size(op, matrix, 0)?;
    let (rows, columns) = matrix_size(op, rhs, 1)?;
    if rows != n {
        return Err(Status::invalid_argument("Input matrix and rhs are incompatible."));
    }
    same_batch(op, matrix, rhs)?;
    let output = dispatch_linalg!(matrix.dtype(), op, T => {
        each::<T>(cx, &[matrix, rhs], 1, |m| {
            let lu = Lu::new(if adjoint { m[0].adjoint() } else { m[0].clone() });
            if columns > 0 && !lu.is_invertible() {
                return Err(Status::invalid_argument("Input matrix is not invertible."));
            }
            Ok(vec![lu.solve(&m[1]).data])
        })?.tensor::<T>(0, &[n, columns])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn determinant(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let input = cx.input(0);
    square_size(op, input, 0)?;
    let output = dispatch_linalg!(input.dtype(), op, T => {
        each::<T>(cx, &[input], 1, |m| {
            let lu = Lu::new(m[0].clone());
            Ok(vec![vec![lu.pivots().fold(lu.sign(), |product, pivot| product * pivot)]])
        })?.tensor::<T>(0, &[])
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn log_determinant(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let input = cx.input(0);
    square_size(op, input, 0)?;
    let (sign, log) = dispatch_linalg!(input.dtype(), op, T => {
        let solved = each::<T>(cx, &[input], 2, |m| Ok(sign_and_log(m[0].clone())))?;
        Ok((solved.tensor::<T>(0, &[])?, solved.tensor::<T>(1, &[])?))
    })?;
    cx.set_output(0, sign);
    cx.set_output(1, log);
    Ok(())
}

fn sign_and_log<F: Field>(matrix: Matrix<F>) -> Vec<Vec<F>> {
    let lu = Lu::new(matrix);
    let mut sign = lu.sign();
    let mut log = 0.0;
    for pivot in lu.pivots() {
        log += pivot.magnitude().ln();
        sign = if pivot == F::ZERO { F::ZERO } else { sign * pivot.phase() };
    }
    vec![vec![sign], vec![F::of(log)]]
}

fn lu(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let input = cx.input(0);
    let n = square_size(op, input, 0)?;
    let (factors, order, batch) = dispatch_linalg!(input.dtype(), op, T => {
        let solved = each::<T>(cx, &[input], 2, |m| {
            let lu = Lu::new(m[0].clone());
            if !lu.is_invertible() {
                return Err(Status::invalid_argument("Input is not invertible."));
            }
            let order = lu.order.iter().map(|&i| Field::of(i as f64)).collect();
            Ok(vec![lu.factors.data, order])
        })?;
        let order: Vec<i64> = solved.outputs[1].iter().map(|v| v.real_part() as i64).collect();
        Ok((solved.tensor::<T>(0, &[n, n])?, order, solved.batch))
    })?;
    let mut shape = batch;
    shape.push(n);
    let order = match cx.node().output_dtype(1) {
        DataType::Int64 => Tensor::from_vec(shape, order)?,
        _ => Tensor::from_vec(shape, order.iter().map(|&i| i as i32).collect::<Vec<i32>>())?,
    };
    cx.set_output(0, factors);
    cx.set_output(1, order);
    Ok(())
}

fn lu_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, size) = shapes::split_square(cx, 0)?;
    cx.set_output(0, batch.concat(&PartialShape::matrix(size, size)));
    cx.set_output(1, batch.concat(&PartialShape::vector(size)));
    Ok(())
}

/// -A^-H grad A^-H, or -A^-H grad^H A^-H where the result is A^-H.
fn inverse_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let given = cx.node().bool("adjoint")?;
    let (inverse, grad) = (cx.output(0), cx.grad(0)?);
    let adjoint = Attrs::new().with("adj_x", given).with("adj_y", !given);
    let right = cx.op_with("BatchMatMulV2", &[grad, inverse], adjoint)?;
    let left = Attrs::new().with("adj_x", !given).with("adj_y", false);
    let product = cx.op_with("BatchMatMulV2", &[inverse, right], left)?;
    Ok(vec![Gradient::Dense(cx.op("Neg", &[product])?)])
}

fn solve_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let adjoint = cx.node().bool("adjoint")?;
    let op = cx.node().op_name().to_string();
    let (matrix, solution, grad) = (cx.input(0), cx.output(0), cx.grad(0)?);
    let grad_rhs = cx.op_with(&op, &[matrix, grad], Attrs::new().with("adjoint", !adjoint))?;
    let (x, y) = if adjoint { (solution, grad_rhs) } else { (grad_rhs, solution) };
    let outer = cx.op_with("BatchMatMulV2", &[x, y], Attrs::new().with("adj_y", true))?;
    let grad_matrix = cx.op("Neg", &[outer])?;
    Ok(vec![Gradient::Dense(grad_matrix), Gradient::Dense(grad_rhs)])
}

fn determinant_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (matrix, output, grad) = (cx.input(0), cx.output(0), cx.grad(0)?);
    let inverse = cx.op_with("MatrixInverse", &[matrix], Attrs::new().with("adjoint", true))?;
    let scaled = cx.op("Mul", &[grad, output])?;
    let shape = cx.shape(output)?;
    let ones = cx.constant(Tensor::vector(&[1i32, 1])?)?;
    let axis = cx.scalar(0i32)?;
    let shape = cx.op("ConcatV2", &[shape, ones, axis])?;
    let scaled = cx.op("Reshape", &[scaled, shape])?;
    Ok(vec![Gradient::Dense(cx.op("Mul", &[scaled, inverse])?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn matrix() -> Tensor {
        Tensor::from_vec([2, 2], vec![1f32, 2., 3., 4.]).unwrap()
    }

    #[test]
    fn solves_inverts_and_measures() {
        let run = |op: &str| OpTest::new(register, op).input(matrix()).run().unwrap();
        assert_eq!(run("MatrixInverse")[0].as_slice::<f32>().unwrap(), &[-2., 1., 1.5, -0.5]);
        assert_eq!(run("MatrixDeterminant")[0].as_slice::<f32>().unwrap(), &[-2.]);
        let logs = run("LogMatrixDeterminant");
        assert_eq!(logs[0].as_slice::<f32>().unwrap(), &[-1.]);
        assert!((logs[1].as_slice::<f32>().unwrap()[0] - 2f32.ln()).abs() < 1e-6);
        let factors = run("Lu");
        assert_eq!(factors[1].as_slice::<i32>().unwrap(), &[1, 0]);
        assert_eq!(factors[0].as_slice::<f32>().unwrap()[..2], [3., 4.]);
        let rhs = Tensor::from_vec([2, 1], vec![5f32, 6.]).unwrap();
        let x = OpTest::new(register, "MatrixSolve").input(matrix()).input(rhs).run_one().unwrap();
        assert_eq!(x.as_slice::<f32>().unwrap(), &[-4., 4.5]);
    }

    #[test]
    fn bad_matrices() {
        let singular = Tensor::from_vec([2, 2], vec![1f64, 2., 2., 4.]).unwrap();
        assert!(OpTest::new(register, "MatrixInverse").input(singular).run().is_err());
        let wide = Tensor::from_vec([1, 2], vec![1f64, 2.]).unwrap();
        assert!(OpTest::new(register, "MatrixDeterminant").input(wide.clone()).run().is_err());
        assert!(
            OpTest::new(register, "MatrixSolve")
                .input(matrix())
                .input(Tensor::vector(&[1f32]).unwrap())
                .run()
                .is_err()
        );
        let empty = Tensor::from_vec([0, 0], Vec::<f64>::new()).unwrap();
        let one = OpTest::new(register, "MatrixDeterminant").input(empty).run_one().unwrap();
        assert_eq!(one.as_slice::<f64>().unwrap(), &[1.0]);
    }
}
