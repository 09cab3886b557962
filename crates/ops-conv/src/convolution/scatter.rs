//! The gradient with respect to an input of few channels: products with all taps at once, then a
//! scattered sum.

use downpour_runtime::Parallel;
use downpour_tensor::Result;

use super::geometry::Geometry;
use crate::product::{Panels, ProductNumber, blocked};

/// Elements of per-tap products to hold at a time.
const STRIP: usize = 1 << 15;

pub(super) fn scatter_gradient<T: ProductNumber>(
    geometry: &Geometry,
    filter: &[T],
    grad: &[T],
    out: &mut [T],
    parallel: &Parallel,
) -> Result<()> {
    let axes = &geometry.axes;
    let (outputs, group_outputs) = (geometry.out_channels, geometry.group_outputs());
    let channels = geometry.in_channels;
    let columns = geometry.depth();
    let offsets = blocked((0..group_outputs).collect());
    let panels = (0..geometry.groups())
        .map(|g| {
            Panels::pack(group_outputs, columns, |o, c| filter[c * outputs + g * group_outputs + o])
        })
        .collect::<Result<Vec<_>>>()?;
    let image = geometry.input_pixels() * channels;
    let row = axes[2].output;
    let strip = (STRIP / (row * columns).max(1)).clamp(1, axes[1].output);
    parallel.for_chunks(out, image, 1, |first, run| {
        run.fill(T::default());
        let mut products = vec![T::default(); strip * row * columns];
        let (mut bases, mut dests) = (Vec::new(), Vec::new());
        for (i, out) in run.chunks_exact_mut(image).enumerate() {
            let n = first + i;
            for d in 0..axes[0].output {
                for h0 in (0..axes[1].output).step_by(strip) {
                    let rows = strip.min(axes[1].output - h0);
                    let start = ((n * axes[0].output + d) * axes[1].output + h0) * row;
                    for (g, panels) in panels.iter().enumerate() {
                        bases.clear();
                        bases.extend(
                            (0..rows * row).map(|p| (start + p) * outputs + g * group_outputs),
                        );
                        dests.clear();
                        dests.extend((0..rows * row).map(|p| p * columns));
                        panels.multiply(grad, &offsets, &bases, &dests, &mut products);
                        for h in 0..rows {
                            for w in 0..row {
                                let from = &products[(h * row + w) * columns..][..columns];
                                let at = [d, h0 + h, w];
                                scatter(geometry, at, from, g * geometry.group_channels, out);
                            }
                        }
                    }
                }
            }
        }
    });
    Ok(())
}

/// Adds one output position's products to the input positions under its taps.
fn scatter<T: ProductNumber>(
    geometry: &Geometry,
    at: [usize; 3],
    from: &[T],
    channel: usize,
    out: &mut [T],
) {
    let axes = &geometry.axes;
    let (channels, group) = (geometry.in_channels, geometry.group_channels);
    let taps: [_; 3] = std::array::from_fn(|a| axes[a].taps(at[a]));
    // Taps on real input have `position >= before`.
    let position =
        |a: usize, k: usize| at[a] * axes[a].stride + k * axes[a].dilation - axes[a].before;
    let contiguous = axes[2].dilation == 1 && group == channels;
    for kd in taps[0].clone() {
        for kh in taps[1].clone() {
            let input_row = (position(0, kd) * axes[1].input + position(1, kh)) * axes[2].input;
            let tap_row = (kd * axes[1].kernel + kh) * axes[2].kernel;
            let mut add = |kw: usize, count: usize| {
                let to = (input_row + position(2, kw)) * channels + channel;
                let from = &from[(tap_row + kw) * group..][..count];
                for (t, &f) in out[to..to + count].iter_mut().zip(from) {
                    *t = t.add_w(f);
                }
            };
            if contiguous {
                if !taps[2].is_empty() {
                    add(taps[2].start, taps[2].len() * group);
                }
            } else {
                taps[2].clone().for_each(|kw| add(kw, group));
            }
        }
    }
}
