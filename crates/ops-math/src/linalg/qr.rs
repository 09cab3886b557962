//! Qr: an orthogonal and an upper triangular factor, by Householder reflections.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, Complex128, Result, Tensor, checked_elements};

use super::batch::{each, matrix_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let spec = OpSpec::new(
        "Qr(input: T) -> (q: T, r: T)
            full_matrices: bool = false
            T: {double, float, half, complex64, complex128}",
    )?;
    let spec = spec.gradient(gradients::qr);
    registry.add(spec.shape(shape).tolerance(1e-4), |_| Ok(KernelBox::function(compute)))
}

/// The reflections that triangularise a matrix, and the triangle.
pub(super) struct Qr<F> {
    /// Vectors v with factors tau: each reflection is 1 - tau v v^H, acting from row k on.
    reflections: Vec<(Vec<F>, F)>,
    pub r: Matrix<F>,
}

impl<F: Field> Qr<F> {
    pub fn new(mut a: Matrix<F>) -> Qr<F> {
        let (m, n) = (a.rows, a.columns);
        let mut reflections = Vec::new();
        for k in 0..m.min(n) {
            let tail: f64 = (k + 1..m).map(|i| a[(i, k)].magnitude().powi(2)).sum();
            let head = a[(k, k)];
            if tail == 0.0 && head == F::of(head.real_part()) {
                reflections.push((Vec::new(), F::ZERO));
                continue;
            }
            let size = (head.magnitude().powi(2) + tail).sqrt();
            // The sign that avoids cancellation.
            let beta = if head.real_part() >= 0.0 { -size } else { size };
            let divisor = head - F::of(beta);
            let mut vector = vec![F::ONE; m - k];
            for i in k + 1..m {
                vector[i - k] = a[(i, k)] / divisor;
            }
            let tau = ((F::of(beta) - head).scaled(1.0 / beta)).conjugate();
            reflect(&mut a, k, &vector, tau);
            // Exactly what the reflection gives up to rounding.
            a[(k, k)] = F::of(beta);
            for i in k + 1..m {
                a[(i, k)] = F::ZERO;
            }
            reflections.push((vector, tau));
        }
        Qr { reflections, r: a }
    }

    /// The first `columns` columns of the orthogonal factor.
    pub fn q(&self, columns: usize) -> Matrix<F> {
        let mut q = Matrix::zeros(self.r.rows, columns);
        for i in 0..columns.min(self.r.rows) {
            q[(i, i)] = F::ONE;
        }
        for (k, (vector, tau)) in self.reflections.iter().enumerate().rev() {
            if !vector.is_empty() {
                reflect(&mut q, k, vector, tau.conjugate());
            }
        }
        q
    }
}

/// Applies 1 - tau v v^H to the rows from `k` on.
fn reflect<F: Field>(a: &mut Matrix<F>, k: usize, vector: &[F], tau: F) {
    let mut sums = vec![F::ZERO; a.columns];
    for (i, v) in vector.iter().enumerate() {
        for (sum, &value) in sums.iter_mut().zip(a.row(k + i)) {
            *sum = *sum + v.conjugate() * value;
        }
    }
    for (i, &v) in vector.iter().enumerate() {
        a.add_to_row(k + i, -(tau * v), &sums);
    }
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let full = cx.node().bool("full_matrices")?;
    let input = cx.input(0);
    let (m, n) = matrix_size(op, input, 0)?;
    let rank = if full { m } else { m.min(n) };
    let _scratch = scratch(input, m, rank)?;
    let (q, r) = dispatch_linalg!(input.dtype(), op, T => {
        let solved = each::<T>(cx, &[input], 2, |a| {
            let qr = Qr::new(a[0].clone());
            let r = qr.r.data[..rank * n].to_vec();
            Ok(vec![qr.q(rank).data, r])
        })?;
        Ok((solved.tensor::<T>(0, &[m, rank])?, solved.tensor::<T>(1, &[rank, n])?))
    })?;
    cx.set_output(0, q);
    cx.set_output(1, r);
    Ok(())
}

/// Counts what factors of this size take while they are computed: those of the whole batch, and a few matrices of one.
pub(super) fn scratch(input: &Tensor, rows: usize, columns: usize) -> Result<Charge> {
    const MATRICES_AT_ONCE: usize = 3;
    let batch = checked_elements(&input.dims()[..input.rank() - 2])?;
    let matrix = checked_elements(&[rows, columns])?;
    Charge::scratch::<Complex128>(matrix.saturating_mul(batch.saturating_add(MATRICES_AT_ONCE)))
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let full = cx.node().bool("full_matrices")?;
    let (batch, m, n) = shapes::split(cx, 0)?;
    let least = m.zip(n).map(|(m, n)| m.min(n));
    let rank = if full { m } else { least };
    cx.set_output(0, batch.concat(&PartialShape::matrix(m, rank)));
    cx.set_output(1, batch.concat(&PartialShape::matrix(rank, n)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn factors_multiply_back() {
        for (m, n) in [(3usize, 2usize), (2, 3), (4, 4), (1, 1), (0, 2)] {
            for full in [false, true] {
                let values: Vec<Complex128> = (0..m * n)
                    .map(|i| Complex128::new((i * 7 % 5) as f64 - 1.0, (i * 3 % 4) as f64))
                    .collect();
                let a = Tensor::from_vec([m, n], values.clone()).unwrap();
                let out =
                    OpTest::new(register, "Qr").input(a).attr("full_matrices", full).run().unwrap();
                let matrix = |t: &Tensor| Matrix {
                    rows: t.dims()[0],
                    columns: t.dims()[1],
                    data: t.as_slice::<Complex128>().unwrap().to_vec(),
                };
                let (q, r) = (matrix(&out[0]), matrix(&out[1]));
                for (x, y) in q.times(&r).data.iter().zip(&values) {
                    assert!((x - y).norm() < 1e-12);
                }
                let gram = q.adjoint().times(&q);
                for i in 0..gram.rows {
                    for j in 0..gram.columns {
                        let want = if i == j { 1.0 } else { 0.0 };
                        assert!((gram[(i, j)] - want).norm() < 1e-12);
                    }
                }
            }
        }
    }
}
