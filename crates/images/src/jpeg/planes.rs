//! The samples of an image, each component by itself.

use downpour_tensor::CountedVec;

use super::block::Block;
use super::failure::{Failure, Outcome};
use super::header::{Component, Frame, Header, Scan};
use super::reduced;
use super::transform::{Inverse, accurate, accurate_table, fast_table};
use crate::checkpoint::Checkpoint;

/// The samples of one component.
pub(super) struct Plane {
    pub sampling: [usize; 2],
    /// Samples of a block across, and down: 8, or less in a smaller image.
    pub size: usize,
    /// Blocks of a row, and rows of blocks, that cover the image.
    blocks: [usize; 2],
    /// The same with those that fill up the last units.
    padded: [usize; 2],
    /// The output does not depend on it.
    unused: bool,
    inverse: Inverse,
    table: Option<[i16; 64]>,
    pub samples: CountedVec<u8>,
    /// Empty unless coefficients come in several scans.
    coefficients: CountedVec<[i16; 64]>,
}

impl Plane {
    pub fn stride(&self) -> usize {
        self.padded[0] * self.size
    }
}

/// The samples of all components.
pub(super) struct Planes {
    pub planes: Vec<Plane>,
    /// Units across and down.
    units: [usize; 2],
}

/// How blocks are turned into samples.
#[derive(Clone, Copy)]
pub(super) struct Method {
    /// Samples of a block of full resolution across: 8, 4, 2 or 1.
    pub size: usize,
    pub accurate: bool,
}

/// The fast transform.
#[cfg(target_arch = "x86_64")]
const FAST: Inverse = super::transform_sse2::fast;
#[cfg(not(target_arch = "x86_64"))]
const FAST: Inverse = super::transform::fast;

/// Returns a component's samples per block. Colours with fewer samples are scaled down less instead of being scaled
/// up again.
fn block_size(component: &Component, largest: [usize; 2], smallest: usize) -> usize {
    let mut size = smallest;
    while size < 8
        && (0..2).all(|i| (largest[i] * smallest).is_multiple_of(component.sampling[i] * size * 2))
    {
        size *= 2;
    }
    size
}

impl Planes {
    /// Reserves grey samples; only the first `used` components matter.
    pub fn new(frame: &Frame, method: Method, used: usize) -> Outcome<Planes> {
        let largest = frame.largest_sampling();
        let units = frame.units();
        let pixels = [frame.width, frame.height];
        let mut planes = Vec::with_capacity(frame.components.len());
        for (i, component) in frame.components.iter().enumerate() {
            let sampling = component.sampling;
            let size = block_size(component, largest, method.size);
            let blocks = [0, 1].map(|i| (pixels[i] * sampling[i]).div_ceil(8 * largest[i]));
            let padded = [0, 1].map(|i| units[i] * sampling[i]);
            let count = padded[0] * padded[1];
            let unused = i >= used;
            let inverse: Inverse = match size {
                8 if method.accurate => accurate,
                8 => FAST,
                4 => reduced::half,
                2 => reduced::quarter,
                _ => reduced::eighth,
            };
            planes.push(Plane {
                sampling,
                size,
                blocks,
                padded,
                unused,
                inverse,
                table: None,
                samples: CountedVec::filled(if unused { 0 } else { count * size * size }, 128)?,
                coefficients: CountedVec::filled(
                    if frame.progressive { count } else { 0 },
                    [0; 64],
                )?,
            });
        }
        Ok(Planes { planes, units })
    }

    /// Keeps the quantization tables of a scan's components as they are when their first scan begins.
    pub fn keep_tables(&mut self, header: &Header, scan: &Scan, method: Method) -> Outcome<()> {
        let Some(frame) = &header.frame else { return Ok(()) };
        for &(i, _) in &scan.components {
            let plane = &mut self.planes[i];
            if plane.table.is_some() {
                continue;
            }
            let table = header.quantization.get(frame.components[i].table);
            let Some(Some(table)) = table else {
                return Err(Failure::Invalid("a quantization table is missing"));
            };
            let is_fast = plane.size == 8 && !method.accurate;
            plane.table = Some(if is_fast { fast_table(table) } else { accurate_table(table) });
        }
        Ok(())
    }

    /// Returns the units of a scan across and down; a component alone comes block by block.
    pub fn units(&self, alone: Option<usize>) -> [usize; 2] {
        alone.map_or(self.units, |i| self.planes[i].blocks)
    }

    /// Returns how many blocks of a component a unit has across and down.
    pub fn blocks_per_unit(&self, component: usize, alone: Option<usize>) -> [usize; 2] {
        if alone.is_some() { [1, 1] } else { self.planes[component].sampling }
    }

    /// Sets the samples of a block.
    #[inline]
    pub fn put(&mut self, component: usize, [x, y]: [usize; 2], block: &Block) {
        let Some(block) = block.first_chunk() else { return };
        let plane = &mut self.planes[component];
        let Some(table) = &plane.table else { return };
        if plane.unused {
            return;
        }
        let (size, stride) = (plane.size, plane.padded[0] * plane.size);
        let start = y * size * stride + x * size;
        (plane.inverse)(block, table, &mut plane.samples[start..], stride);
    }

    /// Returns the coefficients of a block of a progressive image.
    pub fn coefficients(&mut self, component: usize, [x, y]: [usize; 2]) -> &mut [i16; 64] {
        let plane = &mut self.planes[component];
        &mut plane.coefficients[y * plane.padded[0] + x]
    }

    /// Turns all coefficients of a progressive image into samples.
    pub fn transform(&mut self, checkpoint: Checkpoint<'_>) -> Outcome<()> {
        for plane in self.planes.iter_mut().filter(|plane| !plane.unused) {
            let Some(table) = &plane.table else { continue };
            let (size, stride) = (plane.size, plane.padded[0] * plane.size);
            for (i, block) in plane.coefficients.iter().enumerate() {
                let (x, y) = (i % plane.padded[0], i / plane.padded[0]);
                if x == 0 {
                    checkpoint()?;
                }
                let out = &mut plane.samples[y * size * stride + x * size..];
                (plane.inverse)(block, table, out, stride);
            }
        }
        Ok(())
    }
}
