//! Copies between a strided region of a tensor and a packed one.
//!
//! A region is an origin and, per axis, a count and a signed step. Trailing axes that are contiguous
//! in the larger tensor are merged into one run, which is copied at once.

use downpour_runtime::Parallel;
use downpour_tensor::broadcast::Broadcast;
use downpour_tensor::{Result, Shape};
use smallvec::SmallVec;

use crate::units::Unit;

/// Elements worth a task of their own.
const GRAIN: usize = 16 * 1024;

/// Positions inside a row-major tensor.
pub(crate) struct Region {
    /// Outer axes: count and signed element step.
    axes: SmallVec<[(usize, isize); 6]>,
    origin: usize,
    /// Consecutive elements at each position of the outer axes.
    run: usize,
}

impl Region {
    /// The region of a tensor of shape `dims` that takes `counts[i]` elements from `begin[i]` on in
    /// steps of `steps[i]`. The caller has checked that it lies inside.
    pub fn new(dims: &[usize], begin: &[i64], counts: &[usize], steps: &[i64]) -> Region {
        let strides = Shape::new(dims).strides();
        let mut axes = SmallVec::new();
        let mut run = 1;
        let mut whole = true;
        let mut origin = 0isize;
        for i in (0..dims.len()).rev() {
            let stride = strides[i] as isize;
            origin = origin.wrapping_add((begin[i] as isize).wrapping_mul(stride));
            if whole && (steps[i] == 1 || counts[i] == 1) {
                run *= counts[i];
                // The axis in front continues this run only if nothing was left out here.
                whole = counts[i] == dims[i];
            } else if counts[i] != 1 {
                axes.push((counts[i], (steps[i] as isize).wrapping_mul(stride)));
                whole = false;
            }
        }
        axes.reverse();
        Region { axes, origin: origin.max(0) as usize, run }
    }

    pub fn elements(&self) -> usize {
        self.runs() * self.run
    }

    fn runs(&self) -> usize {
        self.axes.iter().map(|a| a.0).product()
    }

    /// Calls `f(packed_offset, offset)` for each run of `range`, in row-major order.
    fn for_runs(&self, range: std::ops::Range<usize>, mut f: impl FnMut(usize, usize)) {
        if range.is_empty() {
            return;
        }
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, self.axes.len());
        let mut rest = range.start;
        let mut offset = self.origin as isize;
        for (i, &(count, step)) in self.axes.iter().enumerate().rev() {
            index[i] = rest % count;
            rest /= count;
            offset += index[i] as isize * step;
        }
        for number in range {
            f(number * self.run, offset as usize);
            for (i, &(count, step)) in self.axes.iter().enumerate().rev() {
                index[i] += 1;
                offset += step;
                if index[i] < count {
                    break;
                }
                index[i] = 0;
                offset -= step * count as isize;
            }
        }
    }

    /// Copies the region of `source` into `packed`.
    pub fn read<T: Unit>(&self, source: &[T], packed: &mut [T], parallel: &Parallel) {
        if self.elements() == 0 {
            return;
        }
        if self.axes.is_empty() {
            return packed.clone_from_slice(&source[self.origin..self.origin + self.run]);
        }
        parallel.for_chunks(packed, self.run, GRAIN.div_ceil(self.run), |first, chunk| {
            let range = first..first + chunk.len() / self.run;
            if self.run == 1 && self.axes.len() == 1 {
                let (_, step) = self.axes[0];
                let start = self.origin as isize + first as isize * step;
                for (i, out) in chunk.iter_mut().enumerate() {
                    *out = source[(start + i as isize * step) as usize].clone();
                }
                return;
            }
            self.for_runs(range, |to, from| {
                let to = to - first * self.run;
                chunk[to..to + self.run].clone_from_slice(&source[from..from + self.run]);
            });
        });
    }

    /// Copies `packed` into the region of `target`.
    pub fn write<T: Unit>(&self, target: &mut [T], packed: &[T]) {
        if self.elements() == 0 {
            return;
        }
        self.for_runs(0..self.runs(), |from, to| {
            target[to..to + self.run].clone_from_slice(&packed[from..from + self.run]);
        });
    }
}

/// `values` of shape `from` repeated to fill the shape `to`, which it must broadcast to.
pub(crate) fn broadcast_to<T: Unit>(values: &[T], from: &[usize], to: &[usize]) -> Result<Vec<T>> {
    let mut out = vec![T::default(); downpour_tensor::checked_elements(to)?];
    if out.is_empty() {
        return Ok(out);
    }
    let plan = Broadcast::new([from, to])?;
    let [step, _] = plan.inner_strides();
    plan.for_rows(0..plan.rows(), |at, [source, _]| {
        for (i, slot) in out[at..at + plan.inner()].iter_mut().enumerate() {
            *slot = values[source + i * step].clone();
        }
    });
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn regions_match_plain_indexing(
            axes in prop::collection::vec((1usize..5, 0usize..5, 0usize..5, any::<bool>()), 1..5)
        ) {
            let dims: Vec<usize> = axes.iter().map(|a| a.0).collect();
            let begin: Vec<i64> = axes.iter().map(|a| (a.1 % a.0) as i64).collect();
            let steps: Vec<i64> = axes
                .iter()
                .map(|a| if a.3 { -((a.2 % 2 + 1) as i64) } else { (a.2 % 3 + 1) as i64 })
                .collect();
            let counts: Vec<usize> = (0..dims.len())
                .map(|i| {
                    let mut n = 0;
                    let mut p = begin[i];
                    while p >= 0 && p < dims[i] as i64 {
                        n += 1;
                        p += steps[i];
                    }
                    n
                })
                .collect();
            let total: usize = dims.iter().product();
            let source: Vec<u32> = (0..total as u32).collect();
            let mut expected = Vec::new();
            let out_total: usize = counts.iter().product();
            let strides = Shape::new(&dims).strides();
            for flat in 0..out_total {
                let mut rest = flat;
                let mut at = 0i64;
                for i in (0..dims.len()).rev() {
                    let x = (rest % counts[i]) as i64;
                    rest /= counts[i];
                    at += (begin[i] + x * steps[i]) * strides[i] as i64;
                }
                expected.push(at as u32);
            }
            let region = Region::new(&dims, &begin, &counts, &steps);
            let mut packed = vec![0u32; out_total];
            region.read(&source, &mut packed, &Parallel::serial());
            prop_assert_eq!(&packed, &expected);
            let mut back = vec![u32::MAX; total];
            region.write(&mut back, &packed);
            for (i, v) in back.iter().enumerate() {
                prop_assert_eq!(*v != u32::MAX, expected.contains(&(i as u32)));
                prop_assert!(*v == u32::MAX || *v == i as u32);
            }
        }
    }
}
