//! The transforms themselves: one axis after another.

use std::sync::Mutex;

use downpour_runtime::Parallel;
use downpour_tensor::{Element, Result, Shape, Tensor};
use rustfft::num_complex::Complex;
use rustfft::num_traits::Zero;
use rustfft::{FftNum, FftPlanner};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Inverse,
}

/// Plans of both precisions, kept for the next run.
pub(super) struct Transforms {
    pub float: Mutex<FftPlanner<f32>>,
    pub double: Mutex<FftPlanner<f64>>,
}

impl Default for Transforms {
    fn default() -> Transforms {
        Transforms { float: Mutex::new(FftPlanner::new()), double: Mutex::new(FftPlanner::new()) }
    }
}

/// One call: lengths of the last axes and the shapes before, between and after.
pub(super) struct Transform<'a> {
    pub parallel: &'a Parallel,
    pub lengths: &'a [usize],
    pub direction: Direction,
    pub input: &'a Shape,
    /// The shape in which the outer axes are transformed (half the innermost for real transforms).
    pub spectrum: &'a Shape,
    pub output: &'a Shape,
}

impl Transform<'_> {
    pub fn complex<F: FftNum>(
        &self,
        planner: &Mutex<FftPlanner<F>>,
        input: &[Complex<F>],
    ) -> Result<Tensor>
    where
        Complex<F>: Element,
    {
        let mut values = resized(input, self.input, self.output, |v| v);
        for axis in self.axes() {
            self.along(planner, &mut values, self.output, axis);
        }
        self.scale(&mut values);
        Tensor::from_vec(self.output, values)
    }

    /// Real input: the innermost axis first, of whose spectrum one half tells everything.
    pub fn real<F: FftNum>(&self, planner: &Mutex<FftPlanner<F>>, input: &[F]) -> Result<Tensor>
    where
        Complex<F>: Element,
    {
        let innermost = self.output.rank() - 1;
        let mut full = self.output.clone();
        full.dims_mut()[innermost] = self.lengths[self.lengths.len() - 1];
        let mut values = resized(input, self.input, &full, |v| Complex::new(v, F::zero()));
        self.along(planner, &mut values, &full, innermost);
        let mut values = resized(&values, &full, self.output, |v| v);
        for axis in self.axes().filter(|&a| a != innermost) {
            self.along(planner, &mut values, self.output, axis);
        }
        Tensor::from_vec(self.output, values)
    }

    /// Real output: the other half of the innermost spectrum is the conjugate of the given one.
    pub fn to_real<F: FftNum + Element>(
        &self,
        planner: &Mutex<FftPlanner<F>>,
        input: &[Complex<F>],
    ) -> Result<Tensor> {
        let innermost = self.output.rank() - 1;
        let mut values = resized(input, self.input, self.spectrum, |v| v);
        for axis in self.axes().filter(|&a| a != innermost) {
            self.along(planner, &mut values, self.spectrum, axis);
        }
        let (half, length) = (self.spectrum[innermost], self.output[innermost]);
        let mut full = vec![Complex::new(F::zero(), F::zero()); self.output.elements()];
        if length > 0 {
            for (line, given) in full.chunks_exact_mut(length).zip(values.chunks_exact(half)) {
                line[..half].copy_from_slice(given);
                for i in half..length {
                    line[i] = given[length - i].conj();
                }
            }
        }
        self.along(planner, &mut full, self.output, innermost);
        self.scale(&mut full);
        Tensor::build(self.output, |out: &mut [F]| {
            out.iter_mut().zip(&full).for_each(|(o, v)| *o = v.re);
        })
    }

    fn axes(&self) -> impl Iterator<Item = usize> {
        let rank = self.output.rank();
        rank - self.lengths.len()..rank
    }

    fn along<F: FftNum>(
        &self,
        planner: &Mutex<FftPlanner<F>>,
        values: &mut [Complex<F>],
        shape: &[usize],
        axis: usize,
    ) {
        let length = shape[axis];
        if length < 2 || values.is_empty() {
            return;
        }
        let inner: usize = shape[axis + 1..].iter().product();
        let plan = {
            // A planner is only a cache: one that panicked elsewhere is still consistent.
            let mut planner = planner.lock().unwrap_or_else(|e| e.into_inner());
            match self.direction {
                Direction::Forward => planner.plan_fft_forward(length),
                Direction::Inverse => planner.plan_fft_inverse(length),
            }
        };
        let block = length * inner;
        self.parallel.for_chunks(values, block, (1 << 11) / block + 1, |_, run| {
            let zero = Complex::new(F::zero(), F::zero());
            let mut scratch = vec![zero; plan.get_inplace_scratch_len()];
            if inner == 1 {
                return plan.process_with_scratch(run, &mut scratch);
            }
            let mut line = vec![zero; length];
            for block in run.chunks_exact_mut(block) {
                for column in 0..inner {
                    for (i, value) in line.iter_mut().enumerate() {
                        *value = block[i * inner + column];
                    }
                    plan.process_with_scratch(&mut line, &mut scratch);
                    for (i, &value) in line.iter().enumerate() {
                        block[i * inner + column] = value;
                    }
                }
            }
        });
    }

    /// Inverse transforms are divided by the number of points.
    fn scale<F: FftNum>(&self, values: &mut [Complex<F>]) {
        if self.direction == Direction::Forward {
            return;
        }
        let points: f64 = self.lengths.iter().map(|&l| l as f64).product();
        let Some(factor) = F::from_f64(1.0 / points) else { return };
        values.iter_mut().for_each(|v| *v = *v * factor);
    }
}

/// The values cut, or filled up with zeros, from one shape to another of the same rank.
fn resized<T: Copy, U: Copy + Zero>(
    values: &[T],
    from: &[usize],
    to: &[usize],
    f: impl Fn(T) -> U,
) -> Vec<U> {
    if from == to {
        return values.iter().map(|&v| f(v)).collect();
    }
    let mut out = vec![U::zero(); to.iter().product()];
    let (Some(&from_width), Some(&to_width)) = (from.last(), to.last()) else { return out };
    if out.is_empty() || values.is_empty() {
        return out;
    }
    let width = from_width.min(to_width);
    let outer = &to[..to.len() - 1];
    let mut index = vec![0usize; outer.len()];
    for row in out.chunks_exact_mut(to_width) {
        let inside = index.iter().zip(from).all(|(&i, &size)| i < size);
        if inside {
            let line = index.iter().zip(from).fold(0, |at, (&i, &size)| at * size + i);
            let source = &values[line * from_width..][..width];
            row.iter_mut().zip(source).for_each(|(o, &v)| *o = f(v));
        }
        for axis in (0..outer.len()).rev() {
            index[axis] += 1;
            if index[axis] < outer[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
    out
}
