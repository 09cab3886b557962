//! Depthwise convolution over planes of channels-last data, one filter per channel.
//!
//! A depth multiplier is handled outside by repeating the input's channels.

use downpour_runtime::Parallel;
use downpour_tensor::RealNumber;

use crate::product::vectorized;
use crate::window::Axis;

/// Channels summed in registers at a time.
const BLOCK: usize = 32;

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
        let mut taps = Vec::new();
        vectorized(|| {
            for (i, row) in run.chunks_exact_mut(width * channels).enumerate() {
                let (n, h) = ((first + i) / height, (first + i) % height);
                let x = &x[n * planes.input_image()..(n + 1) * planes.input_image()];
                for (w, to) in row.chunks_exact_mut(channels).enumerate() {
                    taps.clear();
                    planes.for_taps(h, w, |tap, at| taps.push((tap, at)));
                    forward_pixel(&taps, x, filter, to);
                }
            }
        });
    });
}

#[inline(always)]
fn forward_pixel<T: RealNumber>(taps: &[(usize, usize)], x: &[T], filter: &[T], out: &mut [T]) {
    let mut blocks = out.chunks_exact_mut(BLOCK);
    let mut c = 0;
    for to in &mut blocks {
        let mut sums = [T::default(); BLOCK];
        for &(tap, at) in taps {
            let (x, f) = (&x[at + c..at + c + BLOCK], &filter[tap + c..tap + c + BLOCK]);
            for k in 0..BLOCK {
                sums[k] = sums[k].add_w(x[k].mul_w(f[k]));
            }
        }
        to.copy_from_slice(&sums);
        c += BLOCK;
    }
    let rest = blocks.into_remainder();
    rest.fill(T::default());
    for &(tap, at) in taps {
        let (x, f) = (&x[at + c..at + c + rest.len()], &filter[tap + c..tap + c + rest.len()]);
        for ((to, &x), &f) in rest.iter_mut().zip(x).zip(f) {
            *to = to.add_w(x.mul_w(f));
        }
    }
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

/// The gradient of the filter. Every image sums into `partial` by itself, `batch` filters of space,
/// and these are added up in order: the result does not depend on the number of threads.
pub(super) fn filter_gradient<T: RealNumber>(
    planes: &Planes,
    x: &[T],
    grad: &[T],
    partial: &mut [T],
    out: &mut [T],
    parallel: &Parallel,
) {
    let (image, out_image) = (planes.input_image(), planes.output_image());
    let filter = out.len();
    out.fill(T::default());
    if partial.is_empty() {
        return;
    }
    parallel.for_chunks(partial, filter, planes.grain(out_image), |first, run| {
        vectorized(|| {
            for (i, sums) in run.chunks_exact_mut(filter).enumerate() {
                let n = first + i;
                let x = &x[n * image..(n + 1) * image];
                image_filter_gradient(planes, x, &grad[n * out_image..(n + 1) * out_image], sums);
            }
        });
    });
    for one in partial.chunks_exact(filter) {
        out.iter_mut().zip(one).for_each(|(o, &p)| *o = o.add_w(p));
    }
}

#[inline(always)]
fn image_filter_gradient<T: RealNumber>(planes: &Planes, x: &[T], grad: &[T], sums: &mut [T]) {
    let (rows, columns, channels) = (&planes.rows, &planes.columns, planes.channels);
    sums.fill(T::default());
    for h in 0..rows.output {
        for kh in rows.taps(h) {
            let row = (h * rows.stride + kh * rows.dilation - rows.before) * columns.input;
            for kw in 0..columns.kernel {
                // The outputs of this row for which the tap meets real input.
                let reach = kw * columns.dilation;
                let start = columns.before.saturating_sub(reach).div_ceil(columns.stride);
                let end = (columns.input + columns.before).saturating_sub(reach);
                let end = end.div_ceil(columns.stride).min(columns.output);
                if start >= end {
                    continue;
                }
                let sums = &mut sums[(kh * columns.kernel + kw) * channels..][..channels];
                let first = start * columns.stride + reach - columns.before;
                let x = &x[(row + first) * channels..];
                let dy = &grad[(h * columns.output + start) * channels..];
                for (block, sums) in sums.chunks_mut(BLOCK).enumerate() {
                    let c = block * BLOCK;
                    let step = columns.stride * channels;
                    if let Ok(sums) = <&mut [T; BLOCK]>::try_from(&mut *sums) {
                        let mut local = *sums;
                        for i in 0..end - start {
                            let x = &x[i * step + c..i * step + c + BLOCK];
                            let dy = &dy[i * channels + c..i * channels + c + BLOCK];
                            for k in 0..BLOCK {
                                local[k] = local[k].add_w(x[k].mul_w(dy[k]));
                            }
                        }
                        *sums = local;
                        continue;
                    }
                    for i in 0..end - start {
                        let x = &x[i * step + c..i * step + c + sums.len()];
                        let dy = &dy[i * channels + c..i * channels + c + sums.len()];
                        for ((s, &x), &g) in sums.iter_mut().zip(x).zip(dy) {
                            *s = s.add_w(x.mul_w(g));
                        }
                    }
                }
            }
        }
    }
}
