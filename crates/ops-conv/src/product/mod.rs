//! The product at the heart of every convolution here: rows gathered by offsets times a packed panel.
//!
//! A convolution is a matrix product whose left factor is never built. Element `(r, t)` of that factor
//! is `x[bases[r] + offsets[t]]`: for the forward pass `r` is an output position and `t` a filter
//! weight, for the filter's gradient it is the other way round. The right factor is packed into panels
//! of `LANES` columns, so that one step of the inner loop reads consecutive memory.

mod number;
mod panel;
#[cfg(target_arch = "x86_64")]
mod simd;

pub(crate) use number::ProductNumber;
pub(crate) use panel::{Panels, blocked, pack_into};

#[cfg(target_arch = "x86_64")]
pub(crate) use simd::vectorized;

/// Runs loops that were written for the compiler to vectorise.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn vectorized(loops: impl FnOnce()) {
    loops()
}

/// Columns of a panel.
pub(crate) const LANES: usize = 16;

/// Rows computed together.
pub(crate) const ROWS: usize = 6;

/// Products summed in a row. The error of a sum grows with its length, so longer ones are sums of
/// such blocks: that costs about one percent and takes a deep filter's error to a half or less.
pub(crate) const SUMMED: usize = 64;

/// Offsets of the gathered elements, with the largest of them.
#[derive(Clone, Default)]
pub(crate) struct Offsets {
    values: Vec<usize>,
    reach: usize,
}

impl Offsets {
    pub fn new(values: Vec<usize>) -> Offsets {
        let reach = values.iter().copied().max().unwrap_or(0);
        Offsets { values, reach }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }
}

/// The rows of one product: `out[dests[r]..][..width] (+)= sum over t of x[bases[r] + offsets[t]] * panel[t]`.
pub(crate) struct Rows<'a, T> {
    pub x: &'a [T],
    pub offsets: &'a Offsets,
    pub panel: &'a [T],
    /// Columns of the panel that exist in the output.
    pub width: usize,
    /// Add to the output instead of overwriting it.
    pub accumulate: bool,
}

impl<T: ProductNumber> Rows<'_, T> {
    /// Computes any number of rows. `bases` and `dests` run in parallel.
    pub fn run(&self, bases: &[usize], dests: &[usize], out: &mut [T]) {
        assert!(bases.len() == dests.len() && self.width <= LANES);
        assert_eq!(self.panel.len(), self.offsets.len() * LANES);
        if bases.is_empty() {
            return;
        }
        // Blocks of equal size: a last block of one row would cost as much as one of four.
        let block = bases.len().div_ceil(bases.len().div_ceil(ROWS));
        for (bases, dests) in bases.chunks(block).zip(dests.chunks(block)) {
            T::rows(self, bases, dests, out);
        }
    }
}

/// The product in plain code, for every type and machine; `bases` has at most `ROWS` entries.
pub(crate) fn portable<T: ProductNumber>(
    rows: &Rows<'_, T>,
    bases: &[usize],
    dests: &[usize],
    out: &mut [T],
) {
    let mut sums = [[T::default(); LANES]; ROWS];
    let blocks = rows.offsets.values.chunks(SUMMED).zip(rows.panel.chunks(SUMMED * LANES));
    for (offsets, panel) in blocks {
        let mut block = [[T::default(); LANES]; ROWS];
        for (&offset, weights) in offsets.iter().zip(panel.chunks_exact(LANES)) {
            for (sum, base) in block.iter_mut().zip(bases) {
                let value = rows.x[base + offset];
                for (s, &w) in sum.iter_mut().zip(weights) {
                    *s = s.add_w(value.mul_w(w));
                }
            }
        }
        for (s, &b) in sums.as_flattened_mut().iter_mut().zip(block.as_flattened()) {
            *s = s.add_w(b);
        }
    }
    for (sum, &dest) in sums.iter().zip(dests) {
        let to = &mut out[dest..dest + rows.width];
        for (t, &s) in to.iter_mut().zip(sum) {
            *t = if rows.accumulate { t.add_w(s) } else { s };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_fast_product_equals_the_plain_one(
            rows in 1usize..14, depth in 0usize..9, width in 1usize..=LANES, accumulate: bool,
        ) {
            let x: Vec<f32> = (0..200).map(|i| (i % 17) as f32 - 8.0).collect();
            let panel: Vec<f32> = (0..depth * LANES).map(|i| (i % 13) as f32 - 6.0).collect();
            let offsets = Offsets::new((0..depth).map(|t| t * 3 + t % 2).collect());
            let bases: Vec<usize> = (0..rows).map(|r| r * 7).collect();
            let dests: Vec<usize> = (0..rows).map(|r| (rows - 1 - r) * 20).collect();
            let product = Rows { x: &x, offsets: &offsets, panel: &panel, width, accumulate };
            let mut fast = vec![1f32; rows * 20];
            let mut plain = fast.clone();
            product.run(&bases, &dests, &mut fast);
            for (b, d) in bases.chunks(ROWS).zip(dests.chunks(ROWS)) {
                portable(&product, b, d, &mut plain);
            }
            prop_assert_eq!(fast, plain);
        }
    }
}
