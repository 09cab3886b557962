//! Packing of the right factor.

use downpour_tensor::{Result, Tensor};

use super::{LANES, Offsets, ProductNumber, Rows};

/// A `depth` by `columns` matrix as panels of `LANES` columns, the last one filled up with zeros.
pub(crate) struct Panels {
    storage: Tensor,
    depth: usize,
    columns: usize,
}

impl Panels {
    /// Packs the matrix whose element `(t, c)` is `value(t, c)`.
    pub fn pack<T: ProductNumber>(
        depth: usize,
        columns: usize,
        value: impl Fn(usize, usize) -> T,
    ) -> Result<Panels> {
        let storage = Tensor::build([columns.div_ceil(LANES), depth, LANES], |out: &mut [T]| {
            for (p, panel) in out.chunks_exact_mut((depth * LANES).max(1)).enumerate() {
                for (t, row) in panel.chunks_exact_mut(LANES).enumerate() {
                    for (c, slot) in row.iter_mut().enumerate() {
                        let column = p * LANES + c;
                        *slot = if column < columns { value(t, column) } else { T::default() };
                    }
                }
            }
        })?;
        Ok(Panels { storage, depth, columns })
    }

    /// Packs the matrix whose row `t` is `row(t)`, of `columns` elements.
    pub fn pack_rows<'a, T: ProductNumber>(
        depth: usize,
        columns: usize,
        row: impl Fn(usize) -> &'a [T],
    ) -> Result<Panels> {
        let storage = Tensor::build([columns.div_ceil(LANES), depth, LANES], |out: &mut [T]| {
            for (p, panel) in out.chunks_exact_mut((depth * LANES).max(1)).enumerate() {
                let first = p * LANES;
                let width = LANES.min(columns - first);
                for (t, to) in panel.chunks_exact_mut(LANES).enumerate() {
                    to[..width].copy_from_slice(&row(t)[first..first + width]);
                    to[width..].fill(T::default());
                }
            }
        })?;
        Ok(Panels { storage, depth, columns })
    }

    /// Multiplies gathered rows by every panel: row `r` goes to `dests[r]..` of `out`.
    pub fn multiply<T: ProductNumber>(
        &self,
        x: &[T],
        offsets: &[Offsets],
        bases: &[usize],
        dests: &[usize],
        out: &mut [T],
    ) {
        let mut moved = Vec::with_capacity(dests.len());
        self.for_each(|first, width, panel: &[T]| {
            moved.clear();
            moved.extend(dests.iter().map(|d| d + first));
            let mut start = 0;
            for (i, offsets) in offsets.iter().enumerate() {
                let end = start + offsets.len() * LANES;
                let panel = &panel[start..end];
                Rows { x, offsets, panel, width, accumulate: i > 0 }.run(bases, &moved, out);
                start = end;
            }
        });
    }

    /// Calls `f(first_column, width, panel)` for every panel.
    fn for_each<T: ProductNumber>(&self, mut f: impl FnMut(usize, usize, &[T])) {
        let all = self.storage.as_slice::<T>().expect("packed with this type");
        for p in 0..self.columns.div_ceil(LANES) {
            let first = p * LANES;
            let panel = &all[p * self.depth * LANES..(p + 1) * self.depth * LANES];
            f(first, LANES.min(self.columns - first), panel);
        }
    }
}

/// Packs columns `first..first + width` of rows of `stride` elements into a panel.
pub(crate) fn pack_into<T: ProductNumber>(
    rows: &[T],
    stride: usize,
    first: usize,
    width: usize,
    panel: &mut [T],
) {
    for (row, to) in rows.chunks_exact(stride).zip(panel.chunks_exact_mut(LANES)) {
        to[..width].copy_from_slice(&row[first..first + width]);
        to[width..].fill(T::default());
    }
}

/// Cuts offsets into blocks whose part of a panel fits the first-level cache.
pub(crate) fn blocked(offsets: Vec<usize>) -> Vec<Offsets> {
    const DEPTH: usize = 384;
    offsets.chunks(DEPTH).map(|block| Offsets::new(block.to_vec())).collect()
}
