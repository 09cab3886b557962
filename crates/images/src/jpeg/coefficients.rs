//! The quantized coefficients of an image to be encoded.

use downpour_tensor::{CountedVec, Result};

use super::forward::{Quantizer, transform};
use crate::checkpoint::Checkpoint;

/// The coefficients of one component, in natural order.
pub(super) struct Component {
    pub sampling: [usize; 2],
    /// Which quantization and Huffman tables it uses.
    pub table: usize,
    /// Blocks of a row and rows of blocks that cover the image.
    pub blocks: [usize; 2],
    /// Blocks of a row with those that fill up the last unit.
    pub stride: usize,
    pub coefficients: CountedVec<[i16; 64]>,
}

/// An image of one or three bytes a pixel.
#[derive(Clone, Copy)]
pub(super) struct Picture<'a> {
    pub pixels: &'a [u8],
    pub width: usize,
    pub height: usize,
    pub channels: usize,
}

impl Picture<'_> {
    /// Returns one channel of luminance and chrominance of a pixel; those beyond the edges are like those at them.
    fn sample(&self, channel: usize, x: usize, y: usize) -> i32 {
        let at = (y.min(self.height - 1) * self.width + x.min(self.width - 1)) * self.channels;
        if self.channels == 1 {
            return self.pixels[at] as i32;
        }
        let [r, g, b] = [0, 1, 2].map(|i| self.pixels[at + i] as i32);
        // 16 bits behind the point; chrominance lies around 128.
        const MIDDLE: i32 = (128 << 16) + (1 << 15) - 1;
        let sum = match channel {
            0 => 19_595 * r + 38_470 * g + 7_471 * b + (1 << 15),
            1 => -11_059 * r - 21_709 * g + 32_768 * b + MIDDLE,
            _ => 32_768 * r - 27_439 * g - 5_329 * b + MIDDLE,
        };
        sum >> 16
    }

    /// Computes a component, whose samples each stand for `scale` times `scale` pixels.
    pub fn component(
        &self,
        channel: usize,
        scale: usize,
        largest: usize,
        steps: &[u16; 64],
        checkpoint: Checkpoint<'_>,
    ) -> Result<Component> {
        let sampling = largest / scale;
        let quantizers = steps.map(Quantizer::new);
        let size = [self.width, self.height].map(|pixels| pixels.div_ceil(scale));
        let blocks = size.map(|samples| samples.div_ceil(8));
        let units = [self.width, self.height].map(|pixels| pixels.div_ceil(8 * largest));
        let padded = units.map(|units| units * sampling);
        let mut coefficients: CountedVec<[i16; 64]> =
            CountedVec::filled(padded[0] * padded[1], [0; 64])?;
        for y in 0..blocks[1] {
            checkpoint()?;
            for x in 0..blocks[0] {
                let mut block = [0; 64];
                for (i, to) in block.iter_mut().enumerate() {
                    let column = x * 8 + i % 8;
                    // Rows below the last one repeat it after it was scaled down, columns before.
                    let row = (y * 8 + i / 8).min(size[1] - 1);
                    *to = self.scaled(channel, column, row, scale) - 128;
                }
                transform(&mut block);
                let out = &mut coefficients[y * padded[0] + x];
                for ((to, v), quantizer) in out.iter_mut().zip(block).zip(&quantizers) {
                    *to = quantizer.quantize(v);
                }
            }
        }
        let mut component = Component {
            sampling: [sampling; 2],
            table: usize::from(channel > 0),
            blocks,
            stride: padded[0],
            coefficients,
        };
        component.fill_up(padded);
        Ok(component)
    }

    fn scaled(&self, channel: usize, x: usize, y: usize, scale: usize) -> i32 {
        if scale == 1 {
            return self.sample(channel, x, y);
        }
        let at = |dx: usize, dy: usize| self.sample(channel, 2 * x + dx, 2 * y + dy);
        // The rounding alternates, so that it does not darken or brighten the image.
        (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 1 + (x as i32 & 1)) >> 2
    }
}

impl Component {
    /// Gives blocks that fill up units the mean of the block before, which costs least.
    fn fill_up(&mut self, [wide, high]: [usize; 2]) {
        let across = self.sampling[0];
        for y in 0..high {
            for x in 0..wide {
                let from = if y >= self.blocks[1] {
                    (y - 1) * wide + x / across * across + across - 1
                } else if x >= self.blocks[0] {
                    y * wide + x - 1
                } else {
                    continue;
                };
                self.coefficients[y * wide + x][0] = self.coefficients[from][0];
            }
        }
    }
}
