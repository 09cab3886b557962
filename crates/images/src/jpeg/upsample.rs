//! Brings the samples of a component to the resolution of the image, in libjpeg's ways.

use super::failure::{Failure, Outcome};
use super::header::Frame;
use super::planes::Plane;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Samples are repeated so many times across and down.
    Repeat([usize; 2]),
    /// Twice as many across: three quarters of the nearer sample and one of the farther.
    Across,
    /// Twice as many down, likewise.
    Down,
    /// Both.
    Both,
}

/// The part of an image that is wanted, in pixels. Its left edge lies on a unit's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub left: usize,
    pub width: usize,
    /// Whether the image is cut to this region.
    pub cut: bool,
}

/// Gives the rows of one component.
pub(super) struct Upsampler<'a> {
    plane: &'a Plane,
    way: Way,
    /// The first sample of each row, and how many there are.
    first: usize,
    count: usize,
    /// Rows of samples.
    rows: usize,
}

impl<'a> Upsampler<'a> {
    pub fn new(
        frame: &Frame,
        plane: &'a Plane,
        smallest: usize,
        fancy: bool,
        region: Region,
    ) -> Outcome<Upsampler<'a>> {
        let largest = frame.largest_sampling();
        let input = [0, 1].map(|i| plane.sampling[i] * plane.size / smallest);
        if (0..2).any(|i| input[i] == 0 || !largest[i].is_multiple_of(input[i])) {
            return Err(Failure::Invalid("unsupported sampling factors"));
        }
        let times = [0, 1].map(|i| largest[i] / input[i]);
        let samples = |pixels: usize, i: usize| {
            (pixels * plane.sampling[i] * plane.size).div_ceil(largest[i] * 8)
        };
        let whole = samples(frame.width, 0);
        let single = frame.components.len() == 1;
        let count = if region.cut {
            (region.width * plane.sampling[0] * plane.size).div_ceil(largest[0] * smallest)
        } else {
            whole
        };
        let unit = smallest * if single { 1 } else { largest[0] };
        let first = region.left * if single { 1 } else { plane.sampling[0] } / unit * plane.size;
        let fancy = fancy && smallest > 1;
        let wide_enough = whole > 2 && count > 1;
        let way = match times {
            [2, 1] if fancy && wide_enough => Way::Across,
            [1, 2] if fancy => Way::Down,
            [2, 2] if fancy && wide_enough => Way::Both,
            times => Way::Repeat(times),
        };
        Ok(Upsampler { plane, way, first, count, rows: samples(frame.height, 1) })
    }

    /// Returns true if rows depend on the rows of samples above and below theirs.
    pub fn looks_around(&self) -> bool {
        matches!(self.way, Way::Down | Way::Both)
    }

    fn samples(&self, row: usize) -> &[u8] {
        &self.plane.samples[row * self.plane.stride()..][self.first..self.plane.stride()]
    }

    /// Returns the sample row of pixel row `y`, and the one that is next nearest.
    fn neighbours(&self, y: usize) -> [&[u8]; 2] {
        let near = (y / 2).min(self.rows - 1);
        let far = if y.is_multiple_of(2) { near.saturating_sub(1) } else { near + 1 };
        [self.samples(near), self.samples(far.min(self.rows - 1))]
    }

    /// Returns how many pixels a row has at most.
    pub fn width(&self, region: Region) -> usize {
        (2 * self.count).max(region.width)
    }

    /// Writes pixel row `y`. `sums` is scratch as long as a row.
    pub fn row<'b>(&'b self, y: usize, sums: &mut [u16], out: &'b mut [u8]) -> &'b [u8] {
        if let Way::Repeat([1, down]) = self.way {
            return self.samples((y / down).min(self.rows - 1));
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as was asked just above.
            unsafe { self.write_with_avx2(y, sums, out) };
            return out;
        }
        self.write(y, sums, out);
        out
    }

    /// The same loops, compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn write_with_avx2(&self, y: usize, sums: &mut [u16], out: &mut [u8]) {
        self.write(y, sums, out);
    }

    #[inline(always)]
    fn write(&self, y: usize, sums: &mut [u16], out: &mut [u8]) {
        match self.way {
            Way::Repeat([across, down]) => {
                let from = self.samples((y / down).min(self.rows - 1));
                for (to, &v) in out.chunks_mut(across).zip(from) {
                    to.fill(v);
                }
            }
            Way::Across => {
                let from = &self.samples(y)[..self.count];
                spread(from, &mut out[..2 * self.count], |near, far, right| {
                    ((3 * near as u16 + far as u16 + 1 + right as u16) >> 2) as u8
                });
                out[0] = from[0];
                out[2 * self.count - 1] = from[self.count - 1];
            }
            Way::Down => {
                let [near, far] = self.neighbours(y);
                let bias = 1 + (y % 2) as u16;
                for (to, (&n, &f)) in out.iter_mut().zip(near.iter().zip(far)) {
                    *to = ((3 * n as u16 + f as u16 + bias) >> 2) as u8;
                }
            }
            Way::Both => {
                let [near, far] = self.neighbours(y);
                let sums = &mut sums[..self.count];
                for (to, (&n, &f)) in sums.iter_mut().zip(near.iter().zip(far)) {
                    *to = 3 * n as u16 + f as u16;
                }
                spread(sums, &mut out[..2 * self.count], |near, far, right| {
                    ((3 * near + far + 8 - right as u16) >> 4) as u8
                });
                out[0] = ((4 * sums[0] + 8) >> 4) as u8;
                out[2 * self.count - 1] = ((4 * sums[self.count - 1] + 7) >> 4) as u8;
            }
        }
    }
}

/// Writes two pixels for each sample, of it and its left or right neighbour; those at the two ends are not final.
#[inline(always)]
fn spread<T: Copy>(from: &[T], out: &mut [u8], mix: impl Fn(T, T, bool) -> u8) {
    let pairs = from.iter().zip(&from[1..]);
    for (to, (&left, &right)) in out[1..].as_chunks_mut().0.iter_mut().zip(pairs) {
        *to = [mix(left, right, true), mix(right, left, false)];
    }
}

#[cfg(test)]
mod tests {
    use super::super::header::Component;
    use super::super::planes::{Method, Planes};
    use super::*;

    #[test]
    fn rows_are_those_of_the_plain_form() {
        for sampling in [[2, 1], [1, 2], [2, 2], [4, 1]] {
            for width in 1..100 {
                let component = |sampling| Component { id: 1, sampling, table: 0 };
                let components = vec![component(sampling), component([1, 1])];
                let frame = Frame { width, height: 9, progressive: false, components };
                let method = Method { size: 8, accurate: false };
                let mut planes = Planes::new(&frame, method, 2).unwrap();
                for (i, sample) in planes.planes[1].samples.iter_mut().enumerate() {
                    *sample = (((i + width) * (i + width) * 31) >> 4) as u8;
                }
                let region = Region { left: 0, width, cut: false };
                let upsampler = Upsampler::new(&frame, &planes.planes[1], 8, true, region).unwrap();
                let longest = upsampler.width(region);
                for y in 0..9 {
                    let (mut plain, mut wide) = (vec![0; longest], vec![0; longest]);
                    let mut sums = vec![0; longest];
                    upsampler.write(y, &mut sums, &mut plain);
                    assert_eq!(
                        upsampler.row(y, &mut sums, &mut wide),
                        plain,
                        "{sampling:?} {width}"
                    );
                }
            }
        }
    }
}
