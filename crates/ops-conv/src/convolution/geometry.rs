//! The sizes of one convolution, and copies of its input with the zeros around it.

use std::ops::Range;

use downpour_tensor::{Result, Status};

use crate::window::Axis;

/// A convolution over channels-last data: input `[batch, D, H, W, in_channels]`, filter
/// `[kD, kH, kW, group_channels, out_channels]`, output `[batch, oD, oH, oW, out_channels]`.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub batch: usize,
    pub in_channels: usize,
    /// Input channels each filter sees; fewer than `in_channels` in a grouped convolution.
    pub group_channels: usize,
    pub out_channels: usize,
    pub axes: [Axis; 3],
}

impl Geometry {
    pub fn groups(&self) -> usize {
        self.in_channels / self.group_channels.max(1)
    }

    /// Output channels of one group.
    pub fn group_outputs(&self) -> usize {
        self.out_channels / self.groups().max(1)
    }

    pub fn input_pixels(&self) -> usize {
        self.axes.iter().map(|a| a.input).product()
    }

    pub fn output_pixels(&self) -> usize {
        self.axes.iter().map(|a| a.output).product()
    }

    pub fn filter_taps(&self) -> usize {
        self.axes.iter().map(|a| a.kernel).product()
    }

    /// Multiplications per output element.
    pub fn depth(&self) -> usize {
        self.filter_taps() * self.group_channels
    }

    /// Refuses windows whose zeros outnumber the data beyond reason: they would be copied.
    pub fn check_region(&self, elements: Option<usize>, data: usize) -> Result<()> {
        match elements {
            Some(n) if n <= (1 << 24) || n / 16 <= data => Ok(()),
            _ => Err(Status::resource_exhausted(
                "the padding of this convolution is too large; pad less or use a smaller stride",
            )),
        }
    }
}

/// A box of a channels-last image, with zeros where it reaches outside.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// First coordinate on each axis; negative before the image.
    pub start: [isize; 3],
    pub extent: [usize; 3],
}

impl Region {
    /// Elements, unless that overflows.
    pub fn elements(&self, channels: usize) -> Option<usize> {
        self.extent.iter().try_fold(channels, |n, &e| n.checked_mul(e))
    }

    /// True when no zeros are needed.
    pub fn is_inside(&self, image: [usize; 3]) -> bool {
        (0..3).all(|a| self.start[a] >= 0 && self.start[a] as usize + self.extent[a] <= image[a])
    }

    /// Copies the box out of `image`, which has the sizes `dims` and `channels`.
    pub fn copy<T: Copy + Default>(
        &self,
        image: &[T],
        dims: [usize; 3],
        channels: usize,
        out: &mut [T],
    ) {
        let [_, rows, columns] = self.extent;
        let inside: [Range<usize>; 3] =
            std::array::from_fn(|a| overlap(self.start[a], self.extent[a], dims[a]));
        let row_length = columns * channels;
        let left = inside[2].start * channels;
        let right = inside[2].end * channels;
        for (i, to) in out.chunks_exact_mut(row_length.max(1)).enumerate() {
            let (d, h) = (i / rows, i % rows);
            if !inside[0].contains(&d) || !inside[1].contains(&h) || left >= right {
                to.fill(T::default());
                continue;
            }
            // Inside the overlap, start + index is a valid coordinate.
            let at = |a: usize, i: usize| (self.start[a] + i as isize) as usize;
            let from =
                ((at(0, d) * dims[1] + at(1, h)) * dims[2] + at(2, inside[2].start)) * channels;
            to[..left].fill(T::default());
            to[left..right].copy_from_slice(&image[from..from + right - left]);
            to[right..].fill(T::default());
        }
    }
}

/// The indices `i` of `0..extent` for which `start + i` lies in `0..size`.
fn overlap(start: isize, extent: usize, size: usize) -> Range<usize> {
    let first = start.min(0).unsigned_abs().min(extent);
    let end = (size as isize - start).clamp(0, extent as isize) as usize;
    first.min(end)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_reaches_over_the_edges() {
        let region = Region { start: [0, -1, 1], extent: [1, 3, 2] };
        let image = [1, 2, 3, 4];
        let mut out = [9; 6];
        region.copy(&image, [1, 2, 2], 1, &mut out);
        assert_eq!(out, [0, 0, 2, 0, 4, 0]);
        assert!(!region.is_inside([1, 2, 2]));
        assert_eq!(overlap(-5, 3, 4), 3..3);
        assert_eq!(overlap(6, 3, 4), 0..0);
    }
}
