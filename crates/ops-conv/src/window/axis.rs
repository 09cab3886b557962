//! One spatial axis of a sliding window.

use std::ops::Range;

use downpour_tensor::{Result, Status};

/// What surrounds the input on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Padding {
    Same,
    Valid,
    /// Zeros before and after.
    Explicit(usize, usize),
}

/// A window of `kernel` taps, `dilation` apart, that moves by `stride` over `before` zeros, the
/// input, and as many zeros behind it as the last position needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub input: usize,
    pub kernel: usize,
    pub stride: usize,
    pub dilation: usize,
    pub before: usize,
    pub output: usize,
}

impl Axis {
    /// The axis a lower-dimensional window does not have.
    pub const ONE: Axis =
        Axis { input: 1, kernel: 1, stride: 1, dilation: 1, before: 0, output: 1 };

    pub fn new(
        input: usize,
        kernel: usize,
        stride: usize,
        dilation: usize,
        padding: Padding,
    ) -> Result<Axis> {
        if stride == 0 {
            return Err(Status::invalid_argument("Stride must be > 0, but got 0"));
        }
        if dilation == 0 {
            return Err(Status::invalid_argument("Dilation rate must be >= 1, but got 0"));
        }
        // 128 bits hold every product and sum of the 64-bit sizes below.
        let (size, step) = (input as i128, stride as i128);
        let effective = (kernel as i128 - 1) * dilation as i128 + 1;
        let (output, before) = match padding {
            Padding::Valid => ((size - effective + step) / step, 0),
            Padding::Explicit(before, after) => {
                let padded = size + before as i128 + after as i128;
                ((padded - effective + step) / step, before as i128)
            }
            Padding::Same => {
                let output = (size + step - 1) / step;
                (output, ((output - 1) * step + effective - size).max(0) / 2)
            }
        };
        if output < 0 {
            return Err(Status::invalid_argument(format!(
                "Computed output size would be negative: {output} [input_size: {input}, \
                 effective_filter_size: {effective}, stride: {stride}]"
            )));
        }
        let fits = |v: i128| {
            usize::try_from(v).ok().filter(|&v| v <= isize::MAX as usize / 4).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "a window of {kernel} taps, {dilation} apart, over {input} elements is too large"
                ))
            })
        };
        // The farthest position any later arithmetic touches must fit.
        fits(output * step + effective.max(1) + size)?;
        Ok(Axis { input, kernel, stride, dilation, before: fits(before)?, output: fits(output)? })
    }

    /// The taps that fall on real input for output position `o`.
    pub fn taps(&self, o: usize) -> Range<usize> {
        let start = o * self.stride;
        let mut first = self.before.saturating_sub(start);
        let mut end = (self.input + self.before).saturating_sub(start);
        // Division is slow enough to matter in pooling, which asks for every pixel.
        if self.dilation > 1 {
            first = first.div_ceil(self.dilation);
            end = end.div_ceil(self.dilation);
        }
        let end = end.min(self.kernel);
        first.min(end)..end
    }

    /// The taps that fall on real input for some output position.
    pub fn live_taps(&self) -> Range<usize> {
        if self.output == 0 || self.input == 0 {
            return 0..0;
        }
        let reach = (self.output - 1) * self.stride;
        let first = self.before.saturating_sub(reach).div_ceil(self.dilation);
        let end = (self.input + self.before).div_ceil(self.dilation).min(self.kernel);
        first.min(end)..end
    }

    /// The input range that output position `o` covers (for windows without dilation).
    pub fn covered(&self, o: usize) -> Range<usize> {
        let taps = self.taps(o);
        let start = (o * self.stride + taps.start).saturating_sub(self.before);
        start..start + taps.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_follow_tensorflow() {
        let same = Axis::new(5, 3, 2, 1, Padding::Same).unwrap();
        assert_eq!((same.output, same.before), (3, 1));
        let valid = Axis::new(5, 3, 2, 1, Padding::Valid).unwrap();
        assert_eq!((valid.output, valid.before), (2, 0));
        let explicit = Axis::new(5, 3, 2, 2, Padding::Explicit(2, 1)).unwrap();
        assert_eq!((explicit.output, explicit.before), (2, 2));
        assert!(Axis::new(1, 3, 1, 1, Padding::Valid).is_err());
        assert!(Axis::new(1, 2, 1, usize::MAX, Padding::Same).is_err());
        assert!(Axis::new(1, 2, 0, 1, Padding::Same).is_err());
    }

    proptest! {
        #[test]
        fn taps_are_those_on_real_input(
            input in 1usize..12, kernel in 1usize..6, stride in 1usize..4, dilation in 1usize..4,
            before in 0usize..6, after in 0usize..6,
        ) {
            let Ok(axis) =
                Axis::new(input, kernel, stride, dilation, Padding::Explicit(before, after))
            else { return Ok(()) };
            for o in 0..axis.output {
                let expected: Vec<usize> = (0..kernel)
                    .filter(|k| {
                        let at = o * stride + k * dilation;
                        at >= before && at < before + input
                    })
                    .collect();
                prop_assert_eq!(axis.taps(o).collect::<Vec<_>>(), expected.clone());
                prop_assert!(expected.iter().all(|k| axis.live_taps().contains(k)));
            }
        }
    }
}
