//! The gradient with respect to the input.
//!
//! Input position `i` receives, through tap `k`, the gradient of output `(i + before - k * dilation) / stride`
//! where that is whole. Positions with the same remainder of `i + before` modulo the stride share their
//! taps, so each such phase is a convolution without stride over the output's gradient.

use downpour_runtime::Parallel;
use downpour_tensor::Result;

use super::geometry::{Geometry, Region};
use super::scatter::scatter_gradient;
use crate::product::{Offsets, Panels, ProductNumber, blocked};
use crate::window::Axis;

/// Elements of padded gradient to work on at a time.
const STRIP: usize = 1 << 15;

/// The taps of one remainder.
struct Phase {
    remainder: usize,
    /// Tap and its distance, in output positions, from the earliest output of the phase.
    taps: Vec<(usize, usize)>,
    /// Distance of the earliest output from `(i + before) / stride`.
    shift: usize,
}

fn phases(axis: &Axis) -> Vec<Phase> {
    let mut phases: Vec<Phase> = Vec::new();
    for k in axis.live_taps() {
        let at = k * axis.dilation;
        let remainder = at % axis.stride;
        match phases.iter_mut().find(|p| p.remainder == remainder) {
            Some(phase) => phase.taps.push((k, at / axis.stride)),
            None => {
                phases.push(Phase { remainder, taps: vec![(k, at / axis.stride)], shift: 0 });
            }
        }
    }
    for phase in &mut phases {
        // Taps were added in rising order: the last lies farthest back.
        phase.shift = phase.taps.last().map_or(0, |t| t.1);
        phase.taps.iter_mut().for_each(|t| t.1 = phase.shift - t.1);
    }
    phases
}

/// The output positions that input positions `first..=last` draw from: first and count.
fn outputs_under(axis: &Axis, first: usize, last: usize) -> (isize, usize) {
    let live = axis.live_taps();
    let (stride, before) = (axis.stride as isize, axis.before as isize);
    let tap = |k: usize| (k * axis.dilation) as isize;
    let low = (first as isize + before - tap(live.end - 1)).div_euclid(stride);
    let high = (last as isize + before - tap(live.start)).div_euclid(stride);
    (low, (high - low + 1) as usize)
}

/// One combination of phases, with its packed part of the filter.
struct Part {
    phases: [usize; 3],
    offsets: Vec<Offsets>,
    panels: Vec<Panels>,
}

/// Computes the gradient of the input from the filter and the gradient of the output.
pub(crate) fn input_gradient<T: ProductNumber>(
    geometry: &Geometry,
    filter: &[T],
    grad: &[T],
    out: &mut [T],
    parallel: &Parallel,
) -> Result<()> {
    let axes = &geometry.axes;
    let (channels, outputs) = (geometry.in_channels, geometry.out_channels);
    let group_outputs = geometry.group_outputs();
    if out.is_empty() {
        return Ok(());
    }
    if grad.is_empty() || axes.iter().any(|a| a.live_taps().is_empty()) {
        out.fill(T::default());
        return Ok(());
    }
    // With few channels a panel would be mostly empty; then the taps are its columns instead.
    if geometry.group_channels < 8 && geometry.filter_taps() > 1 {
        return scatter_gradient(geometry, filter, grad, out, parallel);
    }
    let sizes = axes.map(|a| a.output);
    let region = |plane: usize, rows: std::ops::Range<usize>| {
        let spans = [
            outputs_under(&axes[0], plane, plane),
            outputs_under(&axes[1], rows.start, rows.end - 1),
            outputs_under(&axes[2], 0, axes[2].input - 1),
        ];
        Region { start: spans.map(|s| s.0), extent: spans.map(|s| s.1) }
    };
    let row_elements = region(0, 0..1).elements(outputs);
    geometry.check_region(row_elements, grad.len() + out.len())?;
    let direct = region(0, 0..axes[1].input).is_inside(sizes)
        && region(axes[0].input - 1, 0..axes[1].input).is_inside(sizes);
    let row_elements = row_elements.unwrap_or(STRIP);
    let strip = (axes[1].stride * (1 + STRIP.saturating_sub(row_elements) / row_elements.max(1)))
        .min(axes[1].input);
    // Extents differ by at most one with the strip's position: allow for it.
    let [row, plane] = if direct {
        [sizes[2] * outputs, sizes[1] * sizes[2] * outputs]
    } else {
        let extent = region(0, 0..strip).extent;
        [extent[2] * outputs, (extent[1] + 1) * extent[2] * outputs]
    };

    let axis_phases = [phases(&axes[0]), phases(&axes[1]), phases(&axes[2])];
    let mut parts = Vec::new();
    for (pd, phase_d) in axis_phases[0].iter().enumerate() {
        for (ph, phase_h) in axis_phases[1].iter().enumerate() {
            for (pw, phase_w) in axis_phases[2].iter().enumerate() {
                let (mut offsets, mut weights) = (Vec::new(), Vec::new());
                for &(kd, od) in &phase_d.taps {
                    for &(kh, oh) in &phase_h.taps {
                        for &(kw, ow) in &phase_w.taps {
                            let tap = (kd * axes[1].kernel + kh) * axes[2].kernel + kw;
                            for o in 0..group_outputs {
                                offsets.push(od * plane + oh * row + ow * outputs + o);
                                weights.push(tap * geometry.group_channels * outputs + o);
                            }
                        }
                    }
                }
                let panels = (0..geometry.groups())
                    .map(|g| {
                        Panels::pack(offsets.len(), geometry.group_channels, |t, c| {
                            filter[weights[t] + c * outputs + g * group_outputs]
                        })
                    })
                    .collect::<Result<Vec<_>>>()?;
                parts.push(Part { phases: [pd, ph, pw], offsets: blocked(offsets), panels });
            }
        }
    }
    let gaps = (0..3).any(|a| axis_phases[a].len() < axes[a].stride);

    let out_row = axes[2].input * channels;
    let work = out_row * geometry.filter_taps() * group_outputs;
    let grain = 150_000 / work.max(1) + 1;
    let image = geometry.output_pixels() * outputs;
    parallel.for_chunks(out, out_row, grain, |first, run| {
        let mut scratch: Vec<T> = Vec::new();
        let (mut bases, mut dests) = (Vec::new(), Vec::new());
        if gaps {
            run.fill(T::default());
        }
        let total = run.len() / out_row;
        let mut done = 0;
        while done < total {
            let index = first + done;
            let h = index % axes[1].input;
            let d = index / axes[1].input % axes[0].input;
            let n = index / (axes[1].input * axes[0].input);
            let rows = strip.min(axes[1].input - h).min(total - done);
            let region = region(d, h..h + rows);
            let source = &grad[n * image..(n + 1) * image];
            let (source, start): (&[T], [isize; 3]) = if direct {
                (source, [0; 3])
            } else {
                let full = Region {
                    start: region.start,
                    extent: [region.extent[0], plane / row, region.extent[2]],
                };
                scratch.resize(full.extent[0] * plane, T::default());
                full.copy(source, sizes, outputs, &mut scratch);
                (&scratch, region.start)
            };
            let strip_out = &mut run[done * out_row..(done + rows) * out_row];
            for part in &parts {
                let phase: [&Phase; 3] = std::array::from_fn(|a| &axis_phases[a][part.phases[a]]);
                // The earliest output of the phase for position `i`, if `i` belongs to it.
                let base = |a: usize, i: usize| {
                    let at = i + axes[a].before;
                    (at % axes[a].stride == phase[a].remainder).then(|| {
                        ((at / axes[a].stride) as isize - phase[a].shift as isize - start[a])
                            as usize
                    })
                };
                let Some(base_d) = base(0, d) else { continue };
                bases.clear();
                dests.clear();
                for r in 0..rows {
                    let Some(base_h) = base(1, h + r) else { continue };
                    for w in 0..axes[2].input {
                        let Some(base_w) = base(2, w) else { continue };
                        bases.push(base_d * plane + base_h * row + base_w * outputs);
                        dests.push(r * out_row + w * channels);
                    }
                }
                for (g, panels) in part.panels.iter().enumerate() {
                    if g > 0 {
                        bases.iter_mut().for_each(|b| *b += group_outputs);
                        dests.iter_mut().for_each(|d| *d += geometry.group_channels);
                    }
                    panels.multiply(source, &part.offsets, &bases, &dests, strip_out);
                }
            }
            done += rows;
        }
    });
    Ok(())
}
