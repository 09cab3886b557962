//! A copy between two strided layouts, reduced to as few loops as possible.

use downpour_runtime::Parallel;
use smallvec::SmallVec;

use super::{GRAIN, Unit};

/// One axis of a copy: how many, and the distance between neighbours on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    size: usize,
    from: isize,
    to: isize,
}

pub(crate) type Axes = SmallVec<[(usize, isize, isize); 6]>;

/// Copies a box of elements. Axes stand in the order of the output, outermost first: one step along
/// an axis moves further in the output than all inner axes together, which is what lets threads
/// share the output. Distances in the input are arbitrary: negative reverses, zero repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StridedCopy {
    axes: SmallVec<[Axis; 4]>,
    from_start: usize,
    to_start: usize,
    empty: bool,
}

/// Edge of the square tiles in which transposes go, so that both sides stay in the first cache.
const TILE: usize = 16;

impl StridedCopy {
    /// From `(size, input stride, output stride)` per axis and where the first element lies.
    pub fn new(
        axes: impl IntoIterator<Item = (usize, isize, isize)>,
        from_start: usize,
        to_start: usize,
    ) -> StridedCopy {
        let mut merged: SmallVec<[Axis; 4]> = SmallVec::new();
        let mut empty = false;
        for (size, from, to) in axes {
            empty |= size == 0;
            if size == 1 {
                continue;
            }
            let n = size as isize;
            match merged.last_mut() {
                Some(outer) if outer.from == from * n && outer.to == to * n && !empty => {
                    *outer = Axis { size: outer.size * size, from, to };
                }
                _ => merged.push(Axis { size, from, to }),
            }
        }
        StridedCopy { axes: merged, from_start, to_start, empty }
    }

    /// Reads a box of a row-major input in the given axis order into a dense row-major output.
    pub fn gather(
        axes: impl DoubleEndedIterator<Item = (usize, isize)>,
        from_start: usize,
    ) -> StridedCopy {
        let mut reversed = Axes::new();
        let mut to = 1isize;
        for (size, from) in axes.rev() {
            reversed.push((size, from, to));
            to *= size.max(1) as isize;
        }
        StridedCopy::new(reversed.into_iter().rev(), from_start, 0)
    }

    pub fn run<T: Unit>(&self, parallel: &Parallel, from: &[T], to: &mut [T]) {
        if self.empty {
            return;
        }
        let to = &mut to[self.to_start..];
        let Some(first) = self.axes.first() else {
            to[0] = from[self.from_start].clone();
            return;
        };
        // Leading axes whose output steps nest densely are flattened into one parallel loop.
        let row_axis = self.row_axis();
        let mut split = 1;
        while split < row_axis
            && self.axes[split - 1].to == self.axes[split].to * self.axes[split].size as isize
        {
            split += 1;
        }
        let (outer, inner) = self.axes.split_at(split);
        let units: usize = outer.iter().map(|a| a.size).product();
        let inner_count: usize = inner.iter().map(|a| a.size).product();
        let grain = (GRAIN / inner_count).max(1);
        if units <= grain {
            copy_box(&self.axes, from, self.from_start, to, 0);
            return;
        }
        let unit = outer[split - 1].to as usize;
        // The last unit may end before a whole step does (the gap behind it is not ours).
        let whole = (units * unit).min(to.len() / unit * unit);
        let (body, tail) = to.split_at_mut(whole);
        let one_axis = split == 1;
        let work = |start: usize, run: &mut [T]| {
            let count = (run.len().div_ceil(unit)).min(units - start);
            if one_axis {
                let mut axes = self.axes.clone();
                axes[0].size = count;
                let at = self.from_start.wrapping_add_signed(first.from * start as isize);
                copy_box(&axes, from, at, run, 0);
                return;
            }
            for i in 0..count {
                let at = offset(outer, start + i, self.from_start);
                copy_box(inner, from, at, run, i * unit);
            }
        };
        parallel.for_chunks(body, unit, grain, work);
        let done = whole / unit;
        if done < units {
            work(done, tail);
        }
    }

    /// The first axis of the innermost loops: the last axis, or the other axis of a transpose.
    fn row_axis(&self) -> usize {
        let last = self.axes.len() - 1;
        transposed_axis(&self.axes).unwrap_or(last).max(1)
    }
}

/// Where the element with this flat index over `axes` lies in the input.
fn offset(axes: &[Axis], mut index: usize, start: usize) -> usize {
    let mut at = start;
    for axis in axes.iter().rev() {
        at = at.wrapping_add_signed(axis.from * (index % axis.size) as isize);
        index /= axis.size;
    }
    at
}

/// For a copy whose innermost axis jumps in the input: the axis along which the input is dense.
fn transposed_axis(axes: &[Axis]) -> Option<usize> {
    let last = axes.last()?;
    if last.from == 1 || last.from == 0 || last.size < 4 {
        return None;
    }
    axes.iter().position(|a| a.from == 1 && a.size >= 4)
}

fn copy_box<T: Unit>(axes: &[Axis], from: &[T], from_at: usize, to: &mut [T], to_at: usize) {
    let Some((&last, rest)) = axes.split_last() else {
        to[to_at] = from[from_at].clone();
        return;
    };
    match transposed_axis(axes) {
        Some(dense) => {
            let mut outer: SmallVec<[Axis; 4]> = SmallVec::from_slice(rest);
            let dense = outer.remove(dense);
            for_each(&outer, from_at, to_at, |f, t| transpose(dense, last, from, f, to, t));
        }
        None => for_each(rest, from_at, to_at, |f, t| copy_row(last, from, f, to, t)),
    }
}

/// Calls `body` with the input and output position of every index over `axes`.
fn for_each(axes: &[Axis], mut from: usize, mut to: usize, mut body: impl FnMut(usize, usize)) {
    let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, axes.len());
    loop {
        body(from, to);
        let mut i = axes.len();
        loop {
            if i == 0 {
                return;
            }
            i -= 1;
            let axis = axes[i];
            index[i] += 1;
            from = from.wrapping_add_signed(axis.from);
            to = to.wrapping_add_signed(axis.to);
            if index[i] < axis.size {
                break;
            }
            index[i] = 0;
            let n = axis.size as isize;
            from = from.wrapping_add_signed(-axis.from * n);
            to = to.wrapping_add_signed(-axis.to * n);
        }
    }
}

fn copy_row<T: Unit>(axis: Axis, from: &[T], from_at: usize, to: &mut [T], to_at: usize) {
    let n = axis.size;
    if axis.to != 1 {
        let out = to[to_at..].iter_mut().step_by(axis.to as usize).take(n);
        let mut at = from_at;
        for slot in out {
            *slot = from[at].clone();
            at = at.wrapping_add_signed(axis.from);
        }
        return;
    }
    let out = &mut to[to_at..to_at + n];
    match axis.from {
        1 => out.clone_from_slice(&from[from_at..from_at + n]),
        0 => out.fill(from[from_at].clone()),
        step if step > 0 => {
            let values = from[from_at..].iter().step_by(step as usize);
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }
        step => {
            let values = from[..=from_at].iter().rev().step_by(step.unsigned_abs());
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }
    }
}

/// Input dense along `dense`, output dense (or nearly) along `last`: go tile by tile.
fn transpose<T: Unit>(
    dense: Axis,
    last: Axis,
    from: &[T],
    from_at: usize,
    to: &mut [T],
    to_at: usize,
) {
    let mut j = 0;
    while j < dense.size {
        let j_end = (j + TILE).min(dense.size);
        let mut i = 0;
        while i < last.size {
            let i_end = (i + TILE).min(last.size);
            for jj in j..j_end {
                let row = Axis { size: i_end - i, ..last };
                let f = (from_at + jj).wrapping_add_signed(last.from * i as isize);
                let t = to_at + jj * dense.to as usize + i * last.to as usize;
                copy_row(row, from, f, to, t);
            }
            i = i_end;
        }
        j = j_end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::ComputePool;
    use proptest::prelude::*;

    fn strides(dims: &[usize]) -> Vec<isize> {
        let mut out = vec![1; dims.len()];
        for i in (1..dims.len()).rev() {
            out[i - 1] = out[i] * dims[i] as isize;
        }
        out
    }

    #[test]
    fn dense_copies_are_one_loop() {
        let copy = StridedCopy::new([(2, 12, 12), (3, 4, 4), (4, 1, 1)], 0, 0);
        assert_eq!(copy.axes.len(), 1);
        assert_eq!(copy.axes[0].size, 24);
    }

    #[test]
    fn large_copies_into_a_padded_output_use_several_threads() {
        let pool = Parallel::new(ComputePool::new(2).unwrap(), 2);
        let (rows, width, padded) = (3000, 30, 37);
        let input: Vec<u32> = (0..rows * width).map(|v| v as u32).collect();
        let mut output = vec![u32::MAX; rows as usize * padded as usize];
        let axes = [(rows as usize, width, padded), (width as usize, 1, 1)];
        StridedCopy::new(axes, 0, 5).run(&pool, &input, &mut output);
        for r in 0..rows as usize {
            for c in 0..padded as usize {
                let expected =
                    if (5..35).contains(&c) { (r * 30 + c - 5) as u32 } else { u32::MAX };
                assert_eq!(output[r * padded as usize + c], expected);
            }
        }
    }

    proptest! {
        #[test]
        fn permutations_match_plain_indexing(
            (dims, perm) in prop::collection::vec(1usize..40, 0..4).prop_flat_map(|dims| {
                let axes: Vec<usize> = (0..dims.len()).collect();
                (Just(dims), Just(axes).prop_shuffle())
            }),
            parallel in any::<bool>(),
        ) {
            let total: usize = dims.iter().product();
            let input: Vec<u32> = (0..total as u32).collect();
            let from = strides(&dims);
            let out_dims: Vec<usize> = perm.iter().map(|&p| dims[p]).collect();
            let to = strides(&out_dims);
            let copy = StridedCopy::gather(perm.iter().map(|&p| (dims[p], from[p])), 0);
            let mut output = vec![u32::MAX; total];
            let pool = if parallel {
                Parallel::new(ComputePool::new(2).unwrap(), 2)
            } else {
                Parallel::serial()
            };
            copy.run(&pool, &input, &mut output);
            for (flat, &value) in output.iter().enumerate() {
                let mut at = 0;
                for i in 0..dims.len() {
                    at += (flat / to[i] as usize % out_dims[i]) * from[perm[i]] as usize;
                }
                prop_assert_eq!(value as usize, at);
            }
        }
    }
}
