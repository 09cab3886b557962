//! Folding a tensor along runs of axes, with sums that stay exact and independent of the number of threads.
//!
//! Runs are folded from the innermost outwards. A run longer than a block is first folded block by
//! block, then the blocks' results: rounding errors grow with the logarithm of the length, and the
//! order of additions depends only on the shape.

use downpour_runtime::Parallel;
use downpour_tensor::Element;

use super::axes::Plan;

/// How elements are combined into one.
pub(crate) trait Fold<T: Element> {
    type State: Copy + Send + Sync;
    fn identity() -> Self::State;
    fn load(value: T) -> Self::State;
    fn combine(a: Self::State, b: Self::State) -> Self::State;
    /// The result of `count` elements.
    fn finish(state: Self::State, count: usize) -> T;
}

/// Folds `input`, laid out as `plan.runs`, into `output`.
pub(crate) fn fold<T: Element, F: Fold<T>>(
    parallel: &Parallel,
    plan: &Plan,
    input: &[T],
    output: &mut [T],
) {
    let count = plan.count();
    if output.is_empty() {
        return;
    }
    if input.is_empty() {
        return output.fill(F::finish(F::identity(), 0));
    }
    if plan.is_trivial() {
        parallel.for_chunks(output, 1, 4096, |first, run| {
            for (out, &value) in run.iter_mut().zip(&input[first..]) {
                *out = F::finish(F::load(value), 1);
            }
        });
        return;
    }
    let mut states = Vec::new();
    let mut started = false;
    for run in (0..plan.runs.len()).rev().filter(|&i| plan.is_folded(i)) {
        // Folded runs further in are already gone; kept ones remain as the inner size.
        let length = plan.runs[run];
        let outer: usize = plan.runs[..run].iter().product();
        let inner: usize = (run + 1..plan.runs.len())
            .filter(|&i| !plan.is_folded(i))
            .map(|i| plan.runs[i])
            .product();
        let layout = (outer, length, inner);
        states = if started {
            along(parallel, &states, layout, |s| s, F::combine, F::identity())
        } else {
            along(parallel, input, layout, F::load, F::combine, F::identity())
        };
        started = true;
    }
    for (out, state) in output.iter_mut().zip(states) {
        *out = F::finish(state, count);
    }
}

const LANES: usize = 16;
/// Elements of a contiguous run that one block folds.
const BLOCK: usize = 1024;
/// Rows that one block folds when the folded axis is not the innermost.
const BLOCK_ROWS: usize = 64;
/// Columns folded together, so that their states stay in the first-level cache.
const TILE: usize = 2048;

/// Folds the middle axis of `[outer, length, inner]`.
fn along<In: Copy + Sync, S: Copy + Send + Sync>(
    parallel: &Parallel,
    input: &[In],
    (outer, length, inner): (usize, usize, usize),
    load: impl Fn(In) -> S + Copy + Sync,
    combine: impl Fn(S, S) -> S + Copy + Sync,
    identity: S,
) -> Vec<S> {
    let layout = (outer, length, inner);
    let (mut states, mut blocks) = blockwise(parallel, input, layout, load, combine, identity);
    while blocks > 1 {
        let layout = (outer, blocks, inner);
        (states, blocks) = blockwise(parallel, &states, layout, |s| s, combine, identity);
    }
    states
}

/// Folds blocks of the middle axis: `[outer, blocks, inner]` states and the number of blocks.
fn blockwise<In: Copy + Sync, S: Copy + Send + Sync>(
    parallel: &Parallel,
    input: &[In],
    (outer, length, inner): (usize, usize, usize),
    load: impl Fn(In) -> S + Copy + Sync,
    combine: impl Fn(S, S) -> S + Copy + Sync,
    identity: S,
) -> (Vec<S>, usize) {
    let block = if inner == 1 { BLOCK } else { BLOCK_ROWS };
    let blocks = length.div_ceil(block);
    let mut states = vec![identity; outer * blocks * inner];
    let rows = |group: usize| {
        let start = group % blocks * block;
        (group / blocks * length + start, (length - start).min(block))
    };
    let grain = (1 << 15) / length.min(block) + 1;
    if inner == 1 {
        parallel.for_chunks(&mut states, 1, grain, |first, run| {
            for (i, state) in run.iter_mut().enumerate() {
                let (start, len) = rows(first + i);
                *state = contiguous(&input[start..start + len], load, combine, identity);
            }
        });
    } else {
        parallel.for_chunks(&mut states, 1, grain, |first, mut run| {
            let mut position = first;
            while !run.is_empty() {
                let (group, column) = (position / inner, position % inner);
                let (head, tail) = run.split_at_mut((inner - column).min(run.len()).min(TILE));
                let (start, len) = rows(group);
                for row in start..start + len {
                    let from = row * inner + column;
                    let values = &input[from..from + head.len()];
                    for (state, &value) in head.iter_mut().zip(values) {
                        *state = combine(*state, load(value));
                    }
                }
                position += head.len();
                run = tail;
            }
        });
    }
    (states, blocks)
}

#[inline]
fn contiguous<In: Copy, S: Copy>(
    values: &[In],
    load: impl Fn(In) -> S,
    combine: impl Fn(S, S) -> S,
    identity: S,
) -> S {
    if values.len() < LANES {
        return values.iter().fold(identity, |s, &v| combine(s, load(v)));
    }
    let mut lanes = [identity; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for i in 0..LANES {
            lanes[i] = combine(lanes[i], load(chunk[i]));
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(rest) {
        *lane = combine(*lane, load(value));
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = combine(lanes[i], lanes[i + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// Everything folded into one.
pub(super) fn whole<In: Copy + Sync, S: Copy + Send + Sync>(
    parallel: &Parallel,
    input: &[In],
    load: impl Fn(In) -> S + Copy + Sync,
    combine: impl Fn(S, S) -> S + Copy + Sync,
    identity: S,
) -> S {
    if input.is_empty() {
        return identity;
    }
    along(parallel, input, (1, input.len(), 1), load, combine, identity)[0]
}
