//! Products of a large matrix with thin ones, row by row: M (rows × columns) is read once per product, P is rows × rank,
//! Qᵀ is rank × columns, so every inner loop runs along memory.

use super::Extent;
use crate::float::{Float, LANES};

wide! {
    pub(crate) fn add<T: Float>(matrix: &mut [T], gradient: &[T]) {
        for (m, &g) in matrix.iter_mut().zip(gradient) {
            *m += g;
        }
    }
}

#[inline(always)]
fn dot<T: Float>(a: &[T], b: &[T]) -> T {
    let mut lanes = [T::ZERO; LANES];
    let (a_whole, a_rest) = a.as_chunks::<LANES>();
    let (b_whole, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_whole.iter().zip(b_whole) {
        for ((lane, &a), &b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    for ((lane, &a), &b) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane += a * b;
    }
    let mut sum = T::ZERO;
    for lane in lanes {
        sum += lane;
    }
    sum
}

wide! {
    /// P = M·Q.
    pub(crate) fn project<T: Float>(matrix: &[T], q: &[T], extent: Extent, p: &mut [T]) {
        let Extent { columns, rank, .. } = extent;
        for (row, p) in matrix.chunks_exact(columns).zip(p.chunks_exact_mut(rank)) {
            for (p, q) in p.iter_mut().zip(q.chunks_exact(columns)) {
                *p = dot(row, q);
            }
        }
    }
}

wide! {
    /// Qᵀ = Pᵀ·M, added to what is there.
    pub(crate) fn project_back<T: Float>(matrix: &[T], p: &[T], extent: Extent, q: &mut [T]) {
        let Extent { columns, rank, .. } = extent;
        for (row, p) in matrix.chunks_exact(columns).zip(p.chunks_exact(rank)) {
            for (&p, q) in p.iter().zip(q.chunks_exact_mut(columns)) {
                for (q, &m) in q.iter_mut().zip(row) {
                    *q += p * m;
                }
            }
        }
    }
}

/// Columns that are worked on together, so that they stay near.
const STRIP: usize = 64;

/// One strip of a row of P·Qᵀ. Both sides of the wire form it the same way, to the bit.
#[inline(always)]
fn strip_of_product<T: Float>(p: &[T], q: &[T], columns: usize, start: usize, out: &mut [T]) {
    out.fill(T::ZERO);
    for (&p, q) in p.iter().zip(q.chunks_exact(columns)) {
        for (out, &q) in out.iter_mut().zip(&q[start..]) {
            *out += p * q;
        }
    }
}

wide! {
    /// out = P·Qᵀ.
    pub(crate) fn product<T: Float>(p: &[T], q: &[T], extent: Extent, out: &mut [T]) {
        let Extent { columns, rank, .. } = extent;
        if columns == 0 {
            return;
        }
        for (row, p) in out.chunks_exact_mut(columns).zip(p.chunks_exact(rank)) {
            for (strip, out) in row.chunks_mut(STRIP).enumerate() {
                strip_of_product(p, q, columns, strip * STRIP, out);
            }
        }
    }
}

wide! {
    /// M = M − P·Qᵀ.
    pub(crate) fn subtract_product<T: Float>(matrix: &mut [T], p: &[T], q: &[T], extent: Extent) {
        let Extent { columns, rank, .. } = extent;
        let mut scratch = [T::ZERO; STRIP];
        for (row, p) in matrix.chunks_exact_mut(columns).zip(p.chunks_exact(rank)) {
            for (strip, row) in row.chunks_mut(STRIP).enumerate() {
                let scratch = &mut scratch[..row.len()];
                strip_of_product(p, q, columns, strip * STRIP, scratch);
                for (m, &s) in row.iter_mut().zip(&*scratch) {
                    *m -= s;
                }
            }
        }
    }
}

/// Makes the columns of P orthonormal (modified Gram-Schmidt, twice, in float64). A column that depends on earlier ones
/// becomes zero; one that is not finite stays so, for the receiver to see.
pub(crate) fn orthonormalize<T: Float>(p: &mut [T], extent: Extent) {
    let Extent { rows, rank, .. } = extent;
    let mut columns = vec![0f64; rows * rank];
    for (j, column) in columns.chunks_exact_mut(rows.max(1)).enumerate() {
        for (value, row) in column.iter_mut().zip(p.chunks_exact(rank)) {
            *value = row[j].to_f64();
        }
    }
    // What is left of a dependent column is rounding of the products that made it.
    let rounding = if size_of::<T>() == 4 { 1e-6 } else { 1e-14 };
    for j in 0..rank {
        let (done, rest) = columns.split_at_mut(j * rows);
        let column = &mut rest[..rows];
        let before = dot(column, column).sqrt();
        for _ in 0..2 {
            for earlier in done.chunks_exact(rows.max(1)) {
                let along = dot(earlier, column);
                for (c, &e) in column.iter_mut().zip(earlier) {
                    *c -= along * e;
                }
            }
        }
        let after = dot(column, column).sqrt();
        let scale = if after <= before * rounding { 0.0 } else { 1.0 / after };
        column.iter_mut().for_each(|c| *c *= scale);
    }
    for (j, column) in columns.chunks_exact(rows.max(1)).enumerate() {
        for (&value, row) in column.iter().zip(p.chunks_exact_mut(rank)) {
            row[j] = T::from_f64(value);
        }
    }
}
