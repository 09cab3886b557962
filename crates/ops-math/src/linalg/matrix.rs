//! A small dense matrix, row by row, with the operations the decompositions need.

use std::ops::{Index, IndexMut};

use super::field::Field;

#[derive(Clone, Debug)]
pub(super) struct Matrix<F> {
    pub rows: usize,
    pub columns: usize,
    pub data: Vec<F>,
}

impl<F: Field> Matrix<F> {
    pub fn zeros(rows: usize, columns: usize) -> Matrix<F> {
        Matrix { rows, columns, data: vec![F::ZERO; rows * columns] }
    }

    pub fn identity(size: usize) -> Matrix<F> {
        let mut out = Matrix::zeros(size, size);
        for i in 0..size {
            out[(i, i)] = F::ONE;
        }
        out
    }

    pub fn row(&self, i: usize) -> &[F] {
        &self.data[i * self.columns..(i + 1) * self.columns]
    }

    /// The conjugate transpose.
    pub fn adjoint(&self) -> Matrix<F> {
        let mut out = Matrix::zeros(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                out[(j, i)] = self[(i, j)].conjugate();
            }
        }
        out
    }

    pub fn times(&self, other: &Matrix<F>) -> Matrix<F> {
        let mut out = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns {
                out.add_to_row(i, self[(i, k)], other.row(k));
            }
        }
        out
    }

    /// Adds `factor * values` to row `i`.
    pub fn add_to_row(&mut self, i: usize, factor: F, values: &[F]) {
        let columns = self.columns;
        for (out, &v) in self.data[i * columns..(i + 1) * columns].iter_mut().zip(values) {
            *out = *out + factor * v;
        }
    }

    /// Row `i` minus `factor` times row `k` of the same matrix.
    pub fn subtract_row(&mut self, i: usize, factor: F, k: usize) {
        for j in 0..self.columns {
            let value = self[(k, j)];
            self[(i, j)] = self[(i, j)] - factor * value;
        }
    }

    pub fn scale_row(&mut self, i: usize, factor: F) {
        let columns = self.columns;
        self.data[i * columns..(i + 1) * columns].iter_mut().for_each(|v| *v = *v * factor);
    }

    pub fn divide_row(&mut self, i: usize, divisor: F) {
        let columns = self.columns;
        self.data[i * columns..(i + 1) * columns].iter_mut().for_each(|v| *v = *v / divisor);
    }

    pub fn swap_rows(&mut self, i: usize, k: usize) {
        if i != k {
            for j in 0..self.columns {
                self.data.swap(i * self.columns + j, k * self.columns + j);
            }
        }
    }

    pub fn map<G>(&self, f: impl Fn(F) -> G) -> Matrix<G> {
        let data = self.data.iter().map(|&v| f(v)).collect();
        Matrix { rows: self.rows, columns: self.columns, data }
    }

    /// The largest sum of magnitudes of a row.
    pub fn norm(&self) -> f64 {
        (0..self.rows)
            .map(|i| self.row(i).iter().map(|v| v.magnitude()).sum::<f64>())
            .fold(0.0, f64::max)
    }
}

impl<F> Index<(usize, usize)> for Matrix<F> {
    type Output = F;
    fn index(&self, (i, j): (usize, usize)) -> &F {
        &self.data[i * self.columns + j]
    }
}

impl<F> IndexMut<(usize, usize)> for Matrix<F> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut F {
        &mut self.data[i * self.columns + j]
    }
}
