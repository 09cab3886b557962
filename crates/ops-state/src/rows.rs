//! Loops over elements or chosen rows of several tensors at once, spread over the compute threads.
//!
//! Rows that several positions name are handled by one thread in the order of the positions, so a
//! result never depends on the number of threads.

use downpour_runtime::Parallel;
use downpour_tensor::prefetch;

/// Elements a thread should have to itself before a second one is worth waking.
const GRAIN: usize = 16 * 1024;
/// Rows of a large variable come from memory, in an order that no processor guesses: so many are asked for ahead.
pub(crate) const AHEAD: usize = 8;

/// Calls `body(start, blocks)` for blocks that together cover all of `targets`, which have one length.
pub(crate) fn for_blocks<T: Send, const V: usize>(
    parallel: &Parallel,
    mut targets: [&mut [T]; V],
    body: impl Fn(usize, [&mut [T]; V]) + Sync,
) {
    let length = targets[0].len();
    if length <= GRAIN || parallel.limit() == 1 {
        return body(0, targets);
    }
    let mut blocks = Vec::with_capacity(length.div_ceil(GRAIN));
    let mut start = 0;
    while start < length {
        let size = GRAIN.min(length - start);
        blocks.push((start, targets.each_mut().map(|target| take_front(target, size))));
        start += size;
    }
    parallel.for_chunks(&mut blocks, 1, 1, |_, run| {
        for (start, block) in run {
            body(*start, block.each_mut().map(|part| &mut **part));
        }
    });
}

/// Calls `body(position, parts)` for every position of `rows`, where `parts` are the rows numbered
/// `rows[position]`, each `width` long, of all `targets`. Every row number must be inside.
pub(crate) fn for_rows<T: Send, const V: usize>(
    parallel: &Parallel,
    mut targets: [&mut [T]; V],
    width: usize,
    rows: &[usize],
    body: impl Fn(usize, [&mut [T]; V]) + Sync,
) {
    if width == 0 {
        return;
    }
    if rows.len().saturating_mul(width) <= 2 * GRAIN || parallel.limit() == 1 {
        for (position, &row) in rows.iter().enumerate() {
            if let Some(&soon) = rows.get(position + AHEAD) {
                targets.iter().for_each(|target| prefetch(&target[soon * width..][..width]));
            }
            let span = row * width..(row + 1) * width;
            body(position, targets.each_mut().map(|target| &mut target[span.clone()]));
        }
        return;
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|&position| (rows[position], position));
    let mut groups = Vec::new();
    let (mut next, mut passed) = (0, 0);
    while next < order.len() {
        let row = rows[order[next]];
        let end = next + order[next..].partition_point(|&position| rows[position] == row);
        let parts = targets.each_mut().map(|target| {
            take_front(target, (row - passed) * width);
            take_front(target, width)
        });
        groups.push((next..end, parts));
        (next, passed) = (end, row + 1);
    }
    parallel.for_chunks(&mut groups, 1, (GRAIN / width).max(1), |_, run| {
        for at in 0..run.len() {
            if let Some((_, soon)) = run.get(at + AHEAD) {
                soon.iter().for_each(|part| prefetch(part));
            }
            let (positions, parts) = &mut run[at];
            for &position in &order[positions.clone()] {
                body(position, parts.each_mut().map(|part| &mut **part));
            }
        }
    });
}

/// Cuts the first `count` elements off a slice.
fn take_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    front
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::ComputePool;

    fn pool() -> Parallel {
        Parallel::new(ComputePool::new(3).unwrap(), 3)
    }

    #[test]
    fn blocks_cover_every_element_once() {
        for length in [0, 5, GRAIN, 3 * GRAIN + 7] {
            let (mut a, mut b) = (vec![0usize; length], vec![0usize; length]);
            for_blocks(&pool(), [&mut a, &mut b], |start, [a, b]| {
                for i in 0..a.len() {
                    a[i] += start + i;
                    b[i] += 1;
                }
            });
            assert!(a.iter().enumerate().all(|(i, &v)| v == i));
            assert!(b.iter().all(|&v| v == 1));
        }
    }

    #[test]
    fn repeated_rows_see_their_positions_in_order() {
        let width = 64;
        let rows: Vec<usize> = (0..2000).map(|i| (i * 7919) % 40).collect();
        let run = |parallel: &Parallel| {
            let mut out = vec![0u64; 50 * width];
            for_rows(parallel, [&mut out], width, &rows, |position, [row]| {
                row.iter_mut().for_each(|v| *v = v.wrapping_mul(31).wrapping_add(position as u64));
            });
            out
        };
        assert_eq!(run(&pool()), run(&Parallel::serial()));
    }
}
