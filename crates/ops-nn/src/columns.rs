//! Sums over the rows of a matrix, one per column, whose order of additions does not depend on
//! the number of threads.

use std::ops::Range;

use downpour_runtime::Parallel;

/// Elements one block covers, about ten microseconds of work.
const BLOCK: usize = 16 * 1024;

/// Calls `add(rows, sums)` for fixed blocks of rows, each with zeroed `sums` of length `columns`,
/// and adds the blocks' sums with `combine` in the order of the rows. A row has `row_len` elements.
pub(crate) fn column_sums<A: Copy + Default + Send>(
    parallel: &Parallel,
    rows: usize,
    row_len: usize,
    columns: usize,
    add: impl Fn(Range<usize>, &mut [A]) + Sync,
    combine: impl Fn(A, A) -> A,
) -> Vec<A> {
    // At most 64 blocks, so that partial sums stay small beside the input.
    let block = (BLOCK / row_len.max(1)).max(rows.div_ceil(64)).max(1);
    let blocks = rows.div_ceil(block).max(1);
    let mut partial = vec![A::default(); blocks * columns];
    if columns == 0 {
        return partial;
    }
    parallel.for_chunks(&mut partial, columns, 1, |first, run| {
        for (i, sums) in run.chunks_exact_mut(columns).enumerate() {
            let start = (first + i) * block;
            add(start..(start + block).min(rows), sums);
        }
    });
    let (total, rest) = partial.split_at_mut(columns);
    for sums in rest.chunks_exact(columns) {
        for (t, s) in total.iter_mut().zip(sums) {
            *t = combine(*t, *s);
        }
    }
    partial.truncate(columns);
    partial
}

/// The sum of a slice in lanes, which is quicker and more exact than one running total.
pub(crate) fn lane_sum<T: Copy, A: Copy + Default>(
    values: &[T],
    widen: impl Fn(T) -> A,
    add: impl Fn(A, A) -> A,
) -> A {
    const LANES: usize = 16;
    let mut lanes = [A::default(); LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, v) in lanes.iter_mut().zip(chunk) {
            *lane = add(*lane, widen(*v));
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = add(lanes[i], lanes[i + width]);
        }
        width /= 2;
    }
    rest.iter().fold(lanes[0], |sum, v| add(sum, widen(*v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_cover_every_row_once() {
        for (rows, columns) in [(0, 3), (1, 1), (5000, 7), (40_000, 2), (3, 0)] {
            let sums = column_sums(
                &Parallel::serial(),
                rows,
                columns,
                columns,
                |range, sums: &mut [u64]| {
                    for r in range {
                        for (c, s) in sums.iter_mut().enumerate() {
                            *s += (r + c) as u64;
                        }
                    }
                },
                |a, b| a + b,
            );
            let expected: Vec<u64> =
                (0..columns).map(|c| (0..rows).map(|r| (r + c) as u64).sum()).collect();
            assert_eq!(sums, expected);
        }
        let values: Vec<i32> = (0..103).collect();
        assert_eq!(lane_sum(&values, |v| v, |a, b| a + b), 103 * 102 / 2);
    }
}
