//! BandedTriangularSolve: a triangular matrix given by its diagonals.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use super::batch::{each, matrix_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::shapes;
use super::triangular::substitute;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new(
        "BandedTriangularSolve(matrix: T, rhs: T) -> (output: T)
            lower: bool = true
            adjoint: bool = false
            T: {double, float, half, complex64, complex128}",
    )?;
    let spec = spec.gradient(gradients::banded);
    registry.add(spec.shape(shape).tolerance(1e-4), |_| Ok(KernelBox::function(compute)))
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let (lower, adjoint) = (cx.node().bool("lower")?, cx.node().bool("adjoint")?);
    let (bands, rhs) = (cx.input(0), cx.input(1));
    let (count, n) = matrix_size(op, bands, 0)?;
    let (rows, columns) = matrix_size(op, rhs, 1)?;
    if bands.is_empty() || rhs.is_empty() {
        return Err(Status::invalid_argument(format!(
            "{op}: inputs must not be empty tensors, got {} and {}",
            bands.shape(),
            rhs.shape()
        )));
    }
    if rows != n {
        return Err(Status::invalid_argument(format!(
            "{op}: In[0] mismatch In[1] shape: {n} vs. {rows}: {} {}",
            bands.shape(),
            rhs.shape()
        )));
    }
    let output = dispatch_linalg!(bands.dtype(), op, T => {
        each::<T>(cx, &[bands, rhs], 1, |m| {
            let bands = Bands { rows: &m[0], lower };
            if (0..n).any(|i| bands.at(i, i) == Field::of(0.0)) {
                return Err(Status::invalid_argument("Input matrix is not invertible."));
            }
            let at = |i, j| if adjoint { bands.at(j, i).conjugate() } else { bands.at(i, j) };
            Ok(vec![substitute(at, count - 1, &m[1], lower != adjoint).data])
        })?.tensor::<T>(0, &[n, columns])
    })?;
    cx.set_output(0, output);
    Ok(())
}

/// The matrix whose diagonals are rows, the main one first for lower matrices and last for upper
/// ones; each value stands at the number of the matrix row it belongs to.
struct Bands<'a, F> {
    rows: &'a Matrix<F>,
    lower: bool,
}

impl<F: Field> Bands<'_, F> {
    /// Element (i, j), which lies within the bands.
    fn at(&self, i: usize, j: usize) -> F {
        if self.lower {
            self.rows[(i - j, i)]
        } else {
            self.rows[(self.rows.rows - 1 - (j - i), i)]
        }
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a_batch, _, size) = shapes::split(cx, 0)?;
    let (b_batch, rows, columns) = shapes::split(cx, 1)?;
    let size = cx.merge_dim(size, rows)?;
    let batch = downpour_graph::shapes::broadcast(&a_batch, &b_batch)?;
    cx.set_output(0, batch.concat(&PartialShape::matrix(size, columns)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    #[test]
    fn both_triangles() {
        let run = |lower: bool, bands: Vec<f64>| {
            OpTest::new(register, "BandedTriangularSolve")
                .input(Tensor::from_vec([2, 2], bands).unwrap())
                .input(Tensor::from_vec([2, 1], vec![2f64, 8.]).unwrap())
                .attr("lower", lower)
                .run_one()
        };
        // [[2,0],[3,5]] and [[2,3],[0,5]]
        let close = |lower, bands, want: [f64; 2]| {
            let out = run(lower, bands).unwrap();
            out.as_slice::<f64>().unwrap().iter().zip(want).all(|(x, y)| (x - y).abs() < 1e-12)
        };
        assert!(close(true, vec![2., 5., 99., 3.], [1., 1.]));
        assert!(close(false, vec![3., 99., 2., 5.], [-1.4, 1.6]));
        assert!(run(true, vec![0., 5., 99., 3.]).is_err());
    }
}
