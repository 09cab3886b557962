//! Depthwise convolution over planes of channels-last data, one filter per channel.
//!
//! A depth multiplier is handled outside by repeating the input's channels.

use downpour_runtime::Parallel;
use downpour_tensor::RealNumber;

use crate::product::vectorized;
use crate::window::Axis;

/// Channels summed in registers at a time.
const BLOCK: usize = 16;

/// The sizes of one depthwise convolution.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub channels: usize,
    pub rows: Axis,
    pub columns: Axis,
}

impl Planes {
    pub fn input_image(&self) -> usize {
        self.rows.input * self.columns.input * self.channels
    }

    pub fn output_image(&self) -> usize {
        self.rows.output * self.columns.output * self.channels
    }

    /// Calls `f(tap offset in the filter, offset in the image)` for taps on real input.
    #[inline(always)]
    pub fn for_taps(&self, h: usize, w: usize, mut f: impl FnMut(usize, usize)) {
        let (rows, columns, channels) = (&self.rows, &self.columns, self.channels);
        for kh in rows.taps(h) {
            let row = h * rows.stride + kh * rows.dilation - rows.before;
            for kw in columns.taps(w) {
                let column = w * columns.stride + kw * columns.dilation - columns.before;
                f((kh * columns.kernel + kw) * channels, (row * columns.input + column) * channels);
            }
        }
    }

    fn grain(&self, unit: usize) -> usize {
        40_000 / (unit * self.rows.kernel * self.columns.kernel).max(1) + 1
    }
}

/// The convolution itself.
pub(super) fn forward<T: RealNumber>(
    planes: &Planes,
    x: &[T],
    filter: &[T],
    out: &mut [T],
    parallel: &Parallel,
) {
    let channels = planes.channels;
    if out.is_empty() {
        return;
    }
    let (height, width) = (planes.rows.output, planes.columns.output);
    parallel.for_chunks(out, width * channels, planes.grain(width * channels), |first, run| {
        vectorized(|| {
            for (i, row) in run.chunks_exact_mut(width * channels).enumerate() {
                let (n, h) = ((first + i) / height, (first + i) % height);
                let x = &x[n * planes.input_image()..(n + 1) * planes.input_image()];
                for (w, to) in row.chunks_exact_mut(channels).enumerate() {
                    forward_pixel(planes, x, filter, h, w, to);
                }
            }
        });
    });
}

#[inline(always)]
fn forward_pixel<T: RealNumber>(
    planes: &Planes,
    x: &[T],
    filter: &[T],
    h: usize,
    w: usize,
    out: &mut [T],
) {
    let mut blocks = out.chunks_exact_mut(BLOCK);
    let mut c = 0;
    for to in &mut blocks {
        let mut sums = [T::default(); BLOCK];
        planes.for_taps(h, w, |tap, at| {
            let (x, f) = (&x[at + c..at + c + BLOCK], &filter[tap + c..tap + c + BLOCK]);
            for k in 0..BLOCK {
                sums[k] = sums[k].add_w(x[k].mul_w(f[k]));
            }
        });
        to.copy_from_slice(&sums);
        c += BLOCK;
    }
    let rest = blocks.into_remainder();
    rest.fill(T::default());
    planes.for_taps(h, w, |tap, at| {
        let (x, f) = (&x[at + c..at + c + rest.len()], &filter[tap + c..tap + c + rest.len()]);
        for ((to, &x), &f) in rest.iter_mut().zip(x).zip(f) {
            *to = to.add_w(x.mul_w(f));
        }
    });
}

/// The gradient of the input.
pub(super) fn input_gradient<T: RealNumber>(
    planes: &Planes,
    filter: &[T],
    grad: &[T],
    out: &mut [T],
    parallel: &Parallel,
) {
    let (channels, image, out_image) =
        (planes.channels, planes.input_image(), planes.output_image());
    if out.is_empty() {
        return;
    }
    parallel.for_chunks(out, image, planes.grain(out_image), |first, run| {
        run.fill(T::default());
        vectorized(|| {
            for (i, dx) in run.chunks_exact_mut(image).enumerate() {
                let grad = &grad[(first + i) * out_image..(first + i + 1) * out_image];
                for (pixel, dy) in grad.chunks_exact(channels).enumerate() {
                    let (h, w) = (pixel / planes.columns.output, pixel % planes.columns.output);
                    planes.for_taps(h, w, |tap, at| {
                        let (dx, f) = (&mut dx[at..at + channels], &filter[tap..tap + channels]);
                        for ((d, &g), &f) in dx.iter_mut().zip(dy).zip(f) {
                            *d = d.add_w(g.mul_w(f));
                        }
                    });
                }
            }
        });
    });
}

/// The gradient of the filter.
pub(super) fn filter_gradient<T: RealNumber>(
    planes: &Planes,
    batch: usize,
    x: &[T],
    grad: &[T],
    out: &mut [T],
    parallel: &Parallel,
) {
    let (channels, image, out_image) =
        (planes.channels, planes.input_image(), planes.output_image());
    if out.is_empty() {
        return;
    }
    let (rows, columns) = (&planes.rows, &planes.columns);
    // Each tap sums over the whole batch by itself, so no thread waits for another.
    let grain = 40_000 / (batch * out_image).max(1) + 1;
    parallel.for_chunks(out, channels, grain, |first, run| {
        run.fill(T::default());
        vectorized(|| {
            for (i, sums) in run.chunks_exact_mut(channels).enumerate() {
                let (kh, kw) = ((first + i) / columns.kernel, (first + i) % columns.kernel);
                for n in 0..batch {
                    for h in 0..rows.output {
                        let Some(row) = position(rows, h, kh) else { continue };
                        for w in 0..columns.output {
                            let Some(column) = position(columns, w, kw) else { continue };
                            let at = n * image + (row * columns.input + column) * channels;
                            let out_at = n * out_image + (h * columns.output + w) * channels;
                            let (x, dy) = (&x[at..at + channels], &grad[out_at..out_at + channels]);
                            for ((s, &x), &g) in sums.iter_mut().zip(x).zip(dy) {
                                *s = s.add_w(x.mul_w(g));
                            }
                        }
                    }
                }
            }
        });
    });
}

/// The input position under tap `k` of output `o`, if it is real.
fn position(axis: &Axis, o: usize, k: usize) -> Option<usize> {
    (o * axis.stride + k * axis.dilation).checked_sub(axis.before).filter(|&i| i < axis.input)
}
