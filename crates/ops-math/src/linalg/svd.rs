//! Svd: singular values and vectors, by rotating pairs of columns until all are orthogonal.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Tensor};

use super::batch::{each, matrix_size};
use super::field::{Field, dispatch_linalg};
use super::gradients;
use super::matrix::Matrix;
use super::qr::{Qr, scratch};
use super::shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for (name, types) in [
        ("Svd", "{double, float, half, complex64, complex128}"),
        ("BatchSvd", "{double, float, complex64, complex128}"),
    ] {
        let text = format!(
            "{name}(input: T) -> (s: T, u: T, v: T)
                compute_uv: bool = true
                full_matrices: bool = false
                T: {types}"
        );
        let spec = OpSpec::new(&text)?.shape(shape).gradient(gradients::svd).tolerance(1e-4);
        registry.add(spec, |_| Ok(KernelBox::function(compute)))?;
    }
    Ok(())
}

/// Rounds after which rotations have long converged; each is a pass over all pairs.
const ROUNDS: usize = 60;

/// Singular values in decreasing order and the vectors: `a = u diag(s) v^H`, u and v with as many
/// columns as there are values.
pub(super) fn svd<F: Field>(a: &Matrix<F>) -> (Vec<f64>, Matrix<F>, Matrix<F>) {
    if a.rows < a.columns {
        let (s, u, v) = svd(&a.adjoint());
        return (s, v, u);
    }
    let n = a.columns;
    // A tall matrix is first reduced to its triangle, which makes the rotations cheap.
    let qr = Qr::new(a.clone());
    // Columns are kept as rows, so that a rotation touches contiguous values.
    let mut columns = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            columns[(j, i)] = qr.r[(i, j)];
        }
    }
    let mut v = Matrix::<F>::identity(n);
    for _ in 0..ROUNDS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= rotate(&mut columns, &mut v, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let size = |j: usize| columns.row(j).iter().map(|v| v.magnitude().powi(2)).sum::<f64>().sqrt();
    let sizes: Vec<f64> = (0..n).map(size).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| sizes[j].total_cmp(&sizes[i]));
    let mut left = Matrix::zeros(n, n);
    let mut right = Matrix::zeros(n, n);
    let smallest = sizes.iter().copied().fold(0.0, f64::max) * f64::EPSILON * 1e-3;
    let mut lost = Vec::new();
    for (k, &j) in order.iter().enumerate() {
        for i in 0..n {
            right[(i, k)] = v[(j, i)];
            left[(i, k)] =
                columns[(j, i)].scaled(if sizes[j] > 0.0 { 1.0 / sizes[j] } else { 0.0 });
        }
        if sizes[j] <= smallest {
            lost.push(k);
        }
    }
    complete(&mut left, &lost);
    let mut tall = Matrix::zeros(a.rows, n);
    let q = qr.q(n);
    for i in 0..a.rows {
        for k in 0..n {
            tall.add_to_row(i, q[(i, k)], left.row(k));
        }
    }
    (order.iter().map(|&j| sizes[j]).collect(), tall, right)
}

/// Makes columns p and q (kept as rows) orthogonal; false when they already are.
fn rotate<F: Field>(columns: &mut Matrix<F>, v: &mut Matrix<F>, p: usize, q: usize) -> bool {
    let (mut alpha, mut beta, mut gamma) = (0.0, 0.0, F::ZERO);
    for (x, y) in columns.row(p).iter().zip(columns.row(q)) {
        alpha += x.magnitude().powi(2);
        beta += y.magnitude().powi(2);
        gamma = gamma + x.conjugate() * *y;
    }
    let size = gamma.magnitude();
    // Not-a-number stops the rotation as well.
    if size <= f64::EPSILON * (alpha * beta).sqrt() || !size.is_finite() || size == 0.0 {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * size);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = c * t;
    let phase = gamma.phase().conjugate();
    for m in [columns, v] {
        for i in 0..m.columns {
            let (x, y) = (m[(p, i)], m[(q, i)] * phase);
            m[(p, i)] = x.scaled(c) - y.scaled(s);
            m[(q, i)] = x.scaled(s) + y.scaled(c);
        }
    }
    true
}

/// Replaces the columns `lost` (and any beyond) by unit vectors orthogonal to all others.
fn complete<F: Field>(u: &mut Matrix<F>, lost: &[usize]) {
    for &k in lost {
        for i in 0..u.rows {
            u[(i, k)] = F::ZERO;
        }
    }
    for (done, &k) in lost.iter().enumerate() {
        let open = &lost[done..];
        for start in 0..u.rows {
            let mut vector = vec![F::ZERO; u.rows];
            vector[start] = F::ONE;
            // Twice is enough to be orthogonal up to rounding.
            for _ in 0..2 {
                for j in (0..u.columns).filter(|j| !open.contains(j)) {
                    let dot =
                        (0..u.rows).fold(F::ZERO, |sum, i| sum + u[(i, j)].conjugate() * vector[i]);
                    for (i, value) in vector.iter_mut().enumerate() {
                        *value = *value - dot * u[(i, j)];
                    }
                }
            }
            let size = vector.iter().map(|v| v.magnitude().powi(2)).sum::<f64>().sqrt();
            // Some unit vector always has at least this much outside the span of fewer columns.
            if size > 0.5 / (u.rows as f64).sqrt() {
                for (i, value) in vector.iter().enumerate() {
                    u[(i, k)] = value.scaled(1.0 / size);
                }
                break;
            }
        }
    }
}

/// `u` with further orthonormal columns, `columns` in all.
fn widened<F: Field>(u: &Matrix<F>, columns: usize) -> Matrix<F> {
    let mut out = Matrix::zeros(u.rows, columns);
    for i in 0..u.rows {
        for j in 0..u.columns {
            out[(i, j)] = u[(i, j)];
        }
    }
    let missing: Vec<usize> = (u.columns..columns).collect();
    complete(&mut out, &missing);
    out
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let op = cx.node().op_name();
    let (vectors, full) = (cx.node().bool("compute_uv")?, cx.node().bool("full_matrices")?);
    let input = cx.input(0);
    let (m, n) = matrix_size(op, input, 0)?;
    let rank = m.min(n);
    let (u_columns, v_columns) = if full { (m, n) } else { (rank, rank) };
    // Without vectors none of the full size are made.
    let _scratch = match vectors {
        true => (scratch(input, m, u_columns)?, scratch(input, n, v_columns)?),
        false => (scratch(input, m, rank)?, scratch(input, n, rank)?),
    };
    let outputs = dispatch_linalg!(input.dtype(), op, T => {
        let solved = each::<T>(cx, &[input], 3, |a| {
            let (s, u, v) = svd(&a[0]);
            let s = s.into_iter().map(Field::of).collect();
            if !vectors {
                return Ok(vec![s]);
            }
            Ok(vec![s, widened(&u, u_columns).data, widened(&v, v_columns).data])
        })?;
        let s = solved.tensor::<T>(0, &[rank])?;
        Ok(if vectors {
            let (u, v) = (solved.tensor::<T>(1, &[m, u_columns])?, solved.tensor::<T>(2, &[n, v_columns])?);
            [s, u, v]
        } else {
            let empty = || Tensor::new(input.dtype(), [0]);
            [s, empty()?, empty()?]
        })
    })?;
    for (i, output) in outputs.into_iter().enumerate() {
        cx.set_output(i, output);
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (vectors, full) = (cx.node().bool("compute_uv")?, cx.node().bool("full_matrices")?);
    let (batch, m, n) = shapes::split(cx, 0)?;
    let rank = m.zip(n).map(|(m, n)| m.min(n));
    cx.set_output(0, batch.concat(&PartialShape::vector(rank)));
    let (u, v) = if vectors {
        let (uc, vc) = if full { (m, n) } else { (rank, rank) };
        (batch.concat(&PartialShape::matrix(m, uc)), batch.concat(&PartialShape::matrix(n, vc)))
    } else {
        (PartialShape::vector(Some(0)), PartialShape::vector(Some(0)))
    };
    cx.set_output(1, u);
    cx.set_output(2, v);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Complex128;

    fn check(m: usize, n: usize, full: bool, value: impl Fn(usize) -> Complex128) {
        let values: Vec<Complex128> = (0..m * n).map(value).collect();
        let a = Tensor::from_vec([m, n], values.clone()).unwrap();
        let out = OpTest::new(register, "Svd").input(a).attr("full_matrices", full).run().unwrap();
        let matrix = |t: &Tensor| Matrix {
            rows: t.dims()[0],
            columns: t.dims()[1],
            data: t.as_slice::<Complex128>().unwrap().to_vec(),
        };
        let s = out[0].as_slice::<Complex128>().unwrap();
        let (u, v) = (matrix(&out[1]), matrix(&out[2]));
        assert!(s.windows(2).all(|w| w[0].re >= w[1].re));
        for (i, want) in values.iter().enumerate() {
            let (r, c) = (i / n, i % n);
            let got: Complex128 = (0..s.len()).map(|k| u[(r, k)] * s[k] * v[(c, k)].conj()).sum();
            assert!((got - want).norm() < 1e-10, "{m}x{n}: {got} {want}");
        }
        for q in [&u, &v] {
            let gram = q.adjoint().times(q);
            for i in 0..gram.rows {
                for j in 0..gram.columns {
                    let want = if i == j { 1.0 } else { 0.0 };
                    assert!((gram[(i, j)] - want).norm() < 1e-10);
                }
            }
        }
    }

    #[test]
    fn factors_multiply_back() {
        for (m, n) in [(3, 2), (2, 3), (4, 4), (1, 3), (6, 2)] {
            for full in [false, true] {
                check(m, n, full, |i| {
                    Complex128::new((i * 7 % 5) as f64 - 1.0, (i * 3 % 4) as f64)
                });
                // Rank one, and nothing at all.
                check(m, n, full, |_| Complex128::new(1.0, 0.0));
                check(m, n, full, |_| Complex128::new(0.0, 0.0));
            }
        }
    }

    #[test]
    fn values_alone() {
        let a = Tensor::from_vec([2, 2], vec![3f32, 0., 0., -4.]).unwrap();
        let out = OpTest::new(register, "Svd").input(a).attr("compute_uv", false).run().unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[4., 3.]);
        assert_eq!(out[1].dims(), &[0]);
    }
}
