//! The complex Schur form A = Q T Q^H with T upper triangular, by shifted QR steps.

use downpour_tensor::{Complex128, Result, Status};

use super::matrix::Matrix;

pub(super) struct Schur {
    pub q: Matrix<Complex128>,
    pub t: Matrix<Complex128>,
}

/// QR steps per eigenvalue after which the input is taken to be hopeless.
const STEPS: usize = 60;

/// A rotation of rows k and k+1 that turns (a, b) into (r, 0).
#[derive(Clone, Copy)]
struct Rotation {
    c: f64,
    s: Complex128,
}

impl Rotation {
    fn new(a: Complex128, b: Complex128) -> Rotation {
        let size = a.norm().hypot(b.norm());
        if b.norm() == 0.0 || size == 0.0 {
            return Rotation { c: 1.0, s: Complex128::new(0.0, 0.0) };
        }
        if a.norm() == 0.0 {
            return Rotation { c: 0.0, s: b.conj() / b.norm() };
        }
        let phase = a / a.norm();
        Rotation { c: a.norm() / size, s: phase * b.conj() / size }
    }

    fn rows(self, m: &mut Matrix<Complex128>, k: usize, from: usize) {
        for j in from..m.columns {
            let (x, y) = (m[(k, j)], m[(k + 1, j)]);
            m[(k, j)] = x * self.c + self.s * y;
            m[(k + 1, j)] = y * self.c - self.s.conj() * x;
        }
    }

    fn columns(self, m: &mut Matrix<Complex128>, k: usize, to: usize) {
        for i in 0..to {
            let (x, y) = (m[(i, k)], m[(i, k + 1)]);
            m[(i, k)] = x * self.c + self.s.conj() * y;
            m[(i, k + 1)] = y * self.c - self.s * x;
        }
    }
}

impl Schur {
    pub fn new(mut t: Matrix<Complex128>) -> Result<Schur> {
        let n = t.rows;
        let mut q = Matrix::identity(n);
        // Hessenberg form: zeros below the first subdiagonal, by rotations of neighbours.
        for column in 0..n.saturating_sub(2) {
            for k in (column + 1..n - 1).rev() {
                let rotation = Rotation::new(t[(k, column)], t[(k + 1, column)]);
                rotation.rows(&mut t, k, column);
                t[(k + 1, column)] = Complex128::new(0.0, 0.0);
                rotation.columns(&mut t, k, n);
                rotation.columns(&mut q, k, n);
            }
        }
        let mut end = n;
        let mut steps = 0;
        while end > 1 {
            let start = Schur::active_block(&mut t, end);
            if start + 1 == end {
                end -= 1;
                steps = 0;
                continue;
            }
            steps += 1;
            if steps > STEPS {
                return Err(Status::invalid_argument(
                    "Eigen decomposition was not successful. The input might not be valid.",
                ));
            }
            let shift = Schur::shift(&t, end, steps);
            Schur::step(&mut t, &mut q, start, end, shift);
        }
        Ok(Schur { q, t })
    }

    /// Where the unreduced block that ends at `end` begins; negligible elements become zero.
    fn active_block(t: &mut Matrix<Complex128>, end: usize) -> usize {
        let mut start = end - 1;
        while start > 0 {
            let beside = t[(start, start)].norm() + t[(start - 1, start - 1)].norm();
            let scale = if beside == 0.0 { 1.0 } else { beside };
            if t[(start, start - 1)].norm() <= f64::EPSILON * scale {
                t[(start, start - 1)] = Complex128::new(0.0, 0.0);
                break;
            }
            start -= 1;
        }
        start
    }

    /// The eigenvalue of the last two by two block that is nearer to its corner.
    fn shift(t: &Matrix<Complex128>, end: usize, steps: usize) -> Complex128 {
        let (a, b) = (t[(end - 2, end - 2)], t[(end - 2, end - 1)]);
        let (c, d) = (t[(end - 1, end - 2)], t[(end - 1, end - 1)]);
        if steps.is_multiple_of(10) {
            // An arbitrary shift breaks cycles.
            return d + c.norm();
        }
        let half = (a - d) / 2.0;
        let root = (half * half + b * c).sqrt();
        let mean = (a + d) / 2.0;
        let (x, y) = (mean + root, mean - root);
        if (x - d).norm() < (y - d).norm() { x } else { y }
    }

    fn step(
        t: &mut Matrix<Complex128>,
        q: &mut Matrix<Complex128>,
        start: usize,
        end: usize,
        shift: Complex128,
    ) {
        let n = t.rows;
        for i in start..end {
            t[(i, i)] -= shift;
        }
        let mut rotations = Vec::with_capacity(end - start);
        for k in start..end - 1 {
            let rotation = Rotation::new(t[(k, k)], t[(k + 1, k)]);
            rotation.rows(t, k, k);
            rotations.push(rotation);
        }
        for (rotation, k) in rotations.into_iter().zip(start..) {
            rotation.columns(t, k, (k + 2).min(end));
            rotation.columns(q, k, n);
        }
        for i in start..end {
            t[(i, i)] += shift;
        }
    }

    /// Eigenvectors of the original matrix as columns of length one.
    pub fn vectors(&self) -> Matrix<Complex128> {
        let n = self.t.rows;
        let small = f64::EPSILON * self.t.norm().max(f64::MIN_POSITIVE);
        let mut triangle = Matrix::zeros(n, n);
        for k in 0..n {
            triangle[(k, k)] = Complex128::new(1.0, 0.0);
            for i in (0..k).rev() {
                let sum: Complex128 = (i + 1..=k).map(|j| self.t[(i, j)] * triangle[(j, k)]).sum();
                let mut gap = self.t[(i, i)] - self.t[(k, k)];
                // Equal eigenvalues: a small gap gives a vector near the shared one.
                if gap.norm() < small {
                    gap = Complex128::new(small, 0.0);
                }
                triangle[(i, k)] = -sum / gap;
            }
        }
        let mut vectors = self.q.times(&triangle);
        for k in 0..n {
            let size = (0..n).map(|i| vectors[(i, k)].norm_sqr()).sum::<f64>().sqrt();
            for i in 0..n {
                vectors[(i, k)] /= size;
            }
        }
        vectors
    }
}
