//! The gradient with respect to the filter.
//!
//! Weight `(tap, c, o)` receives the sum over all output positions of input `c` under the tap times the
//! output's gradient `o`: a product whose rows are weights and whose depth runs over positions.

use downpour_runtime::Parallel;
use downpour_tensor::{Result, Tensor};

use super::geometry::{Geometry, Region};
use crate::product::{LANES, Offsets, ProductNumber, Rows, pack_into};

/// Elements of padded input and packed gradient to prepare at a time.
const CHUNK: usize = 1 << 18;

/// Positions of images packed together.
const POSITIONS: usize = 1024;

/// Positions in one product: a panel of this depth and the input under it stay in the first-level
/// cache while all rows of the filter pass over them.
const DEPTH: usize = 256;

/// Computes the gradient of the filter from the input and the gradient of the output.
pub(crate) fn filter_gradient<T: ProductNumber>(
    geometry: &Geometry,
    x: &[T],
    grad: &[T],
    out: &mut [T],
    parallel: &Parallel,
) -> Result<()> {
    let axes = &geometry.axes;
    let (channels, outputs) = (geometry.in_channels, geometry.out_channels);
    let group_outputs = geometry.group_outputs();
    let live = axes.map(|a| a.live_taps());
    out.fill(T::default());
    let nothing = out.is_empty() || grad.is_empty() || geometry.batch == 0;
    if nothing || live.iter().any(|l| l.is_empty()) {
        return Ok(());
    }
    let image = axes.map(|a| a.input);
    let region = Region {
        start: std::array::from_fn(|a| {
            (live[a].start * axes[a].dilation) as isize - axes[a].before as isize
        }),
        extent: std::array::from_fn(|a| {
            (axes[a].output - 1) * axes[a].stride + (live[a].len() - 1) * axes[a].dilation + 1
        }),
    };
    let direct = region.is_inside(image);
    geometry.check_region(region.elements(channels), x.len() + grad.len())?;
    let image_elements = geometry.input_pixels() * channels;
    let (padded, extent, origin) = if direct {
        let [d, h, w] = region.start.map(|s| s as usize);
        (image_elements, image, ((d * image[1] + h) * image[2] + w) * channels)
    } else {
        (region.elements(channels).unwrap_or(0), region.extent, 0)
    };
    let [row, plane] = [extent[2] * channels, extent[1] * extent[2] * channels];

    let pixels = geometry.output_pixels();
    let panels = group_outputs.div_ceil(LANES);
    let packed = pixels * panels * geometry.groups() * LANES;
    let block = (POSITIONS / pixels).clamp(1, geometry.batch);
    let blocks =
        (CHUNK / (block * (padded + packed)).max(1)).clamp(1, geometry.batch.div_ceil(block));
    let chunk = block * blocks;

    let mut positions = Vec::with_capacity(block * pixels);
    for n in 0..block {
        for d in 0..axes[0].output {
            for h in 0..axes[1].output {
                let start = n * padded + d * axes[0].stride * plane + h * axes[1].stride * row;
                positions
                    .extend((0..axes[2].output).map(|w| start + w * axes[2].stride * channels));
            }
        }
    }
    // The offset of each row of the filter, for taps that ever meet real input.
    let row_offsets: Vec<Option<usize>> = (0..geometry.depth())
        .map(|i| {
            let (tap, c) = (i / geometry.group_channels, i % geometry.group_channels);
            let kw = tap % axes[2].kernel;
            let kh = tap / axes[2].kernel % axes[1].kernel;
            let kd = tap / (axes[2].kernel * axes[1].kernel);
            let taps = [kd, kh, kw];
            if (0..3).any(|a| !live[a].contains(&taps[a])) {
                return None;
            }
            let [d, h, w] = std::array::from_fn(|a| (taps[a] - live[a].start) * axes[a].dilation);
            Some(origin + d * plane + h * row + w * channels + c)
        })
        .collect();

    let mut padded_store = Tensor::new(T::DTYPE, [if direct { 0 } else { chunk * padded }])?;
    let mut packed_store = Tensor::new(T::DTYPE, [chunk * packed])?;
    for first in (0..geometry.batch).step_by(chunk) {
        let count = chunk.min(geometry.batch - first);
        let images = &x[first * image_elements..(first + count) * image_elements];
        let source: &[T] = if direct {
            images
        } else {
            let store = padded_store.as_mut_slice::<T>().expect("a new tensor has one owner");
            let store = &mut store[..count * padded];
            parallel.for_chunks(store, padded, (1 << 14) / padded + 1, |at, run| {
                for (i, to) in run.chunks_exact_mut(padded).enumerate() {
                    let from = &images[(at + i) * image_elements..(at + i + 1) * image_elements];
                    region.copy(from, image, channels, to);
                }
            });
            store
        };
        // Per block of images: per group: per panel: all positions of the block.
        let store = packed_store.as_mut_slice::<T>().expect("a new tensor has one owner");
        let store = &mut store[..count * packed];
        for (b, block_store) in store.chunks_mut(block * packed).enumerate() {
            let positions = block_store.len() / packed * pixels;
            let start = (first + b * block) * pixels * outputs;
            let rows = &grad[start..start + positions * outputs];
            parallel.for_chunks(block_store, positions * LANES, 1, |at, run| {
                for (i, panel) in run.chunks_exact_mut(positions * LANES).enumerate() {
                    let (group, p) = ((at + i) / panels, (at + i) % panels);
                    let width = LANES.min(group_outputs - p * LANES);
                    pack_into(rows, outputs, group * group_outputs + p * LANES, width, panel);
                }
            });
        }
        let store: &[T] = store;
        let work = count * pixels * outputs;
        parallel.for_chunks(out, outputs, 300_000 / work.max(1) + 1, |first_row, run| {
            let rows = run.len() / outputs;
            let (mut bases, mut dests, mut moved) = (Vec::new(), Vec::new(), Vec::new());
            for (i, offset) in row_offsets[first_row..first_row + rows].iter().enumerate() {
                if let Some(offset) = offset {
                    bases.push(*offset);
                    dests.push(i * outputs);
                }
            }
            let mut group_bases = bases.clone();
            for (b, block_store) in store.chunks(block * packed).enumerate() {
                let images = block_store.len() / packed;
                let x = &source[b * block * padded..(b * block + images) * padded];
                for (part, positions) in positions[..images * pixels].chunks(DEPTH).enumerate() {
                    let offsets = Offsets::new(positions.to_vec());
                    let start = part * DEPTH * LANES;
                    for (i, panel) in block_store.chunks_exact(images * pixels * LANES).enumerate()
                    {
                        let (group, p) = (i / panels, i % panels);
                        let panel = &panel[start..start + positions.len() * LANES];
                        let width = LANES.min(group_outputs - p * LANES);
                        moved.clear();
                        moved.extend(dests.iter().map(|d| d + group * group_outputs + p * LANES));
                        group_bases.clear();
                        group_bases
                            .extend(bases.iter().map(|b| b + group * geometry.group_channels));
                        let product = Rows { x, offsets: &offsets, panel, width, accumulate: true };
                        product.run(&group_bases, &moved, run);
                    }
                }
            }
        });
    }
    Ok(())
}
