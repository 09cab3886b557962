//! Which pixels along an axis an output pixel is computed from, and with which weights.

use downpour_tensor::{CountedVec, Result, Status};

use super::filter::Filter;

/// For each output pixel, a run of input pixels and their weights.
pub(super) struct Spans {
    /// The most weights that a pixel has.
    size: usize,
    starts: CountedVec<usize>,
    weights: CountedVec<f32>,
}

/// How output coordinates follow from those of the input along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub filter: Filter,
    pub scale: f32,
    pub translation: f32,
    pub antialias: bool,
}

impl Spans {
    /// Computes the spans of `output` pixels over `input` pixels, of which there is at least one.
    pub fn new(output: usize, input: usize, placement: Placement) -> Result<Spans> {
        let Placement { filter, scale, translation, antialias } = placement;
        let inverse = (1.0 / scale as f64) as f32;
        let shift = -inverse * translation;
        // The filter is as wide as an output pixel where those are the larger ones.
        let stretch = if antialias { inverse.max(1.0) } else { 1.0 };
        let reach = filter.radius() * stretch;
        let size = (2.0 * reach.ceil() as f64 + 1.0).min(input as f64).max(0.0) as usize;
        let total = size.checked_mul(output).ok_or_else(|| {
            Status::resource_exhausted("ScaleAndTranslate: too many weights for this machine")
        })?;
        let mut starts = CountedVec::filled(output, 0)?;
        let mut weights = CountedVec::filled(total, 0f32)?;
        for (x, start) in starts.iter_mut().enumerate() {
            let at = (x as f32 + 0.5) * inverse + shift;
            // Also where it is not a number.
            if !(at >= 0.0 && at <= input as f32) {
                continue;
            }
            let last = input as f32 - 1.0;
            let first = ((at - reach - 0.5).ceil().clamp(0.0, last) as usize).min(input - 1);
            let end = ((at + reach - 0.5).floor().clamp(0.0, last) as usize).min(input - 1) + 1;
            let count = end.saturating_sub(first);
            if count > size {
                return Err(Status::invalid_argument(format!(
                    "Span is too large: {count} vs {size}."
                )));
            }
            let own = &mut weights[x * size..][..count];
            let mut sum = 0f32;
            for (i, weight) in own.iter_mut().enumerate() {
                let distance = (first + i) as f32 + 0.5 - at;
                *weight = filter.weight((distance * (1.0 / stretch)).abs());
                sum += *weight;
            }
            if sum.abs() >= 1000.0 * f32::MIN_POSITIVE {
                let share = 1.0 / sum;
                own.iter_mut().for_each(|weight| *weight *= share);
            } else {
                own.fill(0.0);
            }
            *start = first;
        }
        Ok(Spans { size, starts, weights })
    }

    /// Turns spans of output pixels over `input` pixels around: for each input pixel, the output pixels that it
    /// contributes to.
    pub fn transposed(&self, input: usize) -> Result<Spans> {
        let mut firsts = CountedVec::filled(input, usize::MAX)?;
        let mut lasts = CountedVec::filled(input, 0usize)?;
        let contributions = || {
            (0..self.len()).flat_map(|output| {
                let (start, weights) = self.span(output, input);
                let nonzero = weights.iter().enumerate().filter(|(_, w)| **w != 0.0);
                nonzero.map(move |(i, &weight)| (output, start + i, weight))
            })
        };
        for (output, place, _) in contributions() {
            firsts[place] = firsts[place].min(output);
            lasts[place] = lasts[place].max(output);
        }
        let length = |i: usize| {
            if firsts[i] == usize::MAX { 0 } else { lasts[i] - firsts[i] + 1 }
        };
        let size = (0..input).map(length).max().unwrap_or(0);
        let total = size.checked_mul(input).ok_or_else(|| {
            Status::resource_exhausted("ScaleAndTranslateGrad: too many weights for this machine")
        })?;
        let mut weights = CountedVec::filled(total, 0f32)?;
        for (output, place, weight) in contributions() {
            weights[place * size + output - firsts[place]] += weight;
        }
        firsts.iter_mut().filter(|first| **first == usize::MAX).for_each(|first| *first = 0);
        Ok(Spans { size, starts: firsts, weights })
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the first of `input` pixels that a pixel is computed from, and the weights from there on.
    pub fn span(&self, x: usize, input: usize) -> (usize, &[f32]) {
        let start = self.starts[x];
        let count = self.size.min(input.saturating_sub(start));
        (start, &self.weights[x * self.size..][..count])
    }
}
