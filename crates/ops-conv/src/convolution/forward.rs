//! The forward pass.

use downpour_runtime::Parallel;
use downpour_tensor::Result;

use super::geometry::{Geometry, Region};
use crate::product::{Panels, ProductNumber, blocked};

/// Elements of padded input to work on at a time; with its output this fits a second-level cache.
const STRIP: usize = 1 << 15;

/// Computes the output; `finish` sees finished rows of output pixels while they are in cache.
pub(crate) fn forward<T: ProductNumber>(
    geometry: &Geometry,
    x: &[T],
    filter: &[T],
    out: &mut [T],
    parallel: &Parallel,
    finish: impl Fn(&mut [T]) + Sync,
) -> Result<()> {
    let axes = &geometry.axes;
    let channels = geometry.in_channels;
    let (outputs, group_outputs) = (geometry.out_channels, geometry.group_outputs());
    let live = axes.map(|a| a.live_taps());
    if out.is_empty() {
        return Ok(());
    }
    // Without channels there is output all the same, and nothing to divide by below.
    if x.is_empty() || live.iter().any(|l| l.is_empty()) || geometry.group_channels == 0 {
        out.fill(T::default());
        finish(out);
        return Ok(());
    }
    // The box of input under output rows `rows` of plane `plane`.
    let region = |plane: usize, rows: std::ops::Range<usize>| {
        let first = [plane, rows.start, 0];
        let count = [1, rows.len(), axes[2].output];
        let at = |a: usize| (first[a] * axes[a].stride + live[a].start * axes[a].dilation) as isize;
        Region {
            start: std::array::from_fn(|a| at(a) - axes[a].before as isize),
            extent: std::array::from_fn(|a| {
                (count[a] - 1) * axes[a].stride + (live[a].len() - 1) * axes[a].dilation + 1
            }),
        }
    };
    let image = axes.map(|a| a.input);
    let direct = region(0, 0..axes[1].output).is_inside(image)
        && region(axes[0].output - 1, 0..axes[1].output).is_inside(image);
    let row_elements = region(0, 0..1).elements(channels);
    geometry.check_region(row_elements, x.len() + out.len())?;
    let strip =
        strip_rows(row_elements.unwrap_or(STRIP), axes[1].stride * axes[2].input * channels);
    let strip = strip.min(axes[1].output);
    let [row, plane] = if direct {
        [image[2] * channels, image[1] * image[2] * channels]
    } else {
        let extent = region(0, 0..strip).extent;
        [extent[2] * channels, extent[1] * extent[2] * channels]
    };

    let mut offsets = Vec::new();
    let mut weights = Vec::new();
    for kd in live[0].clone() {
        for kh in live[1].clone() {
            for kw in live[2].clone() {
                let steps = [kd - live[0].start, kh - live[1].start, kw - live[2].start];
                let [d, h, w] = std::array::from_fn(|a| steps[a] * axes[a].dilation);
                let tap = (kd * axes[1].kernel + kh) * axes[2].kernel + kw;
                for c in 0..geometry.group_channels {
                    offsets.push(d * plane + h * row + w * channels + c);
                    weights.push((tap * geometry.group_channels + c) * outputs);
                }
            }
        }
    }
    let depth = offsets.len();
    let offsets = blocked(offsets);
    let panels = (0..geometry.groups())
        .map(|g| {
            Panels::pack_rows(depth, group_outputs, |t| {
                &filter[weights[t] + g * group_outputs..][..group_outputs]
            })
        })
        .collect::<Result<Vec<_>>>()?;

    let out_row = axes[2].output * outputs;
    let grain = 150_000 / (out_row * depth).max(1) + 1;
    let image_elements = geometry.input_pixels() * channels;
    parallel.for_chunks(out, out_row, grain, |first, run| {
        let mut scratch: Vec<T> = Vec::new();
        let (mut bases, mut dests) = (Vec::new(), Vec::new());
        let total = run.len() / out_row;
        let mut done = 0;
        while done < total {
            let index = first + done;
            let h = index % axes[1].output;
            let d = index / axes[1].output % axes[0].output;
            let n = index / (axes[1].output * axes[0].output);
            let rows = strip.min(axes[1].output - h).min(total - done);
            let region = region(d, h..h + rows);
            let source = &x[n * image_elements..(n + 1) * image_elements];
            let (source, origin) = if direct {
                let [d, h, w] = region.start.map(|s| s as usize);
                (source, d * plane + h * row + w * channels)
            } else {
                // Rows beyond this strip's are never read, but offsets assume the full strip's planes.
                let full =
                    Region { extent: [region.extent[0], plane / row, region.extent[2]], ..region };
                scratch.resize(full.extent[0] * plane, T::default());
                full.copy(source, image, channels, &mut scratch);
                (&scratch[..], 0)
            };
            bases.clear();
            dests.clear();
            for r in 0..rows {
                for w in 0..axes[2].output {
                    bases.push(origin + r * axes[1].stride * row + w * axes[2].stride * channels);
                    dests.push(r * out_row + w * outputs);
                }
            }
            let strip_out = &mut run[done * out_row..(done + rows) * out_row];
            for (g, panels) in panels.iter().enumerate() {
                if g > 0 {
                    bases.iter_mut().for_each(|b| *b += geometry.group_channels);
                    dests.iter_mut().for_each(|d| *d += group_outputs);
                }
                panels.multiply(source, &offsets, &bases, &dests, strip_out);
            }
            finish(strip_out);
            done += rows;
        }
    });
    Ok(())
}

/// Output rows per strip, when one needs `first` elements of input and each further one `more`.
fn strip_rows(first: usize, more: usize) -> usize {
    1 + STRIP.saturating_sub(first) / more.max(1)
}
