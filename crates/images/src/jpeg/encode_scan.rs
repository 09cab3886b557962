//! The scans of a JPEG file to be written.

use downpour_tensor::Result;

use super::coefficients::Component;
use super::entropy::{Sink, table};
use super::tables::NATURAL_ORDER;
use crate::checkpoint::Checkpoint;

/// Which part of the coefficients a scan holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub components: Vec<usize>,
    /// The first and last coefficient.
    pub band: [usize; 2],
    /// The bit position of the scan before over the same coefficients, or 0, and that of this one.
    pub bits: [u32; 2],
}

impl Plan {
    /// Returns the tables that it needs, without repetitions.
    pub fn tables(&self, components: &[Component]) -> Vec<usize> {
        let mut tables = Vec::new();
        for &i in &self.components {
            let index = components[i].table;
            if self.band[0] == 0 && self.bits[0] == 0 {
                tables.push(table(false, index));
            }
            if self.band[1] > 0 {
                tables.push(table(true, index));
            }
        }
        let mut seen = [false; 4];
        tables.retain(|&t| !std::mem::replace(&mut seen[t], true));
        tables
    }
}

/// Returns the scans of a progressive file, as libjpeg chooses them.
pub(super) fn progression(components: usize) -> Vec<Plan> {
    let plan =
        |components: &[usize], band, bits| Plan { components: components.to_vec(), band, bits };
    if components == 1 {
        return vec![
            plan(&[0], [0, 0], [0, 1]),
            plan(&[0], [1, 5], [0, 2]),
            plan(&[0], [6, 63], [0, 2]),
            plan(&[0], [1, 63], [2, 1]),
            plan(&[0], [0, 0], [1, 0]),
            plan(&[0], [1, 63], [1, 0]),
        ];
    }
    vec![
        plan(&[0, 1, 2], [0, 0], [0, 1]),
        plan(&[0], [1, 5], [0, 2]),
        plan(&[2], [1, 63], [0, 1]),
        plan(&[1], [1, 63], [0, 1]),
        plan(&[0], [6, 63], [0, 2]),
        plan(&[0], [1, 63], [2, 1]),
        plan(&[0, 1, 2], [0, 0], [1, 0]),
        plan(&[2], [1, 63], [1, 0]),
        plan(&[1], [1, 63], [1, 0]),
        plan(&[0], [1, 63], [1, 0]),
    ]
}

/// The state that is kept from block to block.
struct State<'s, 'w> {
    sink: &'s mut Sink<'w>,
    /// The DC coefficients of the blocks before.
    means: [i32; 4],
    /// Blocks without anything new that were not written yet.
    empty_blocks: u32,
    /// Correction bits of those blocks.
    corrections: Vec<bool>,
    ac: usize,
}

/// Sends a scan to `sink`. Scans of a progressive file hold a part of the coefficients.
pub(super) fn encode(
    plan: &Plan,
    components: &[Component],
    progressive: bool,
    sink: &mut Sink<'_>,
    checkpoint: Checkpoint<'_>,
) -> Result<()> {
    let first = &components[plan.components[0]];
    let alone = plan.components.len() == 1;
    let ac = table(true, first.table);
    let mut state = State { sink, means: [0; 4], empty_blocks: 0, corrections: Vec::new(), ac };
    let units = if alone {
        first.blocks
    } else {
        let rows = first.coefficients.len() / first.stride;
        [first.stride / first.sampling[0], rows / first.sampling[1]]
    };
    for y in 0..units[1] {
        checkpoint()?;
        for x in 0..units[0] {
            for (slot, &i) in plan.components.iter().enumerate() {
                let component = &components[i];
                let [wide, high] = if alone { [1, 1] } else { component.sampling };
                for j in 0..wide * high {
                    let (column, row) = (x * wide + j % wide, y * high + j / wide);
                    let block = &component.coefficients[row * component.stride + column];
                    if !progressive {
                        state.mean(block[0] as i32, slot, component.table)?;
                        state.rest(block, component.table)?;
                    } else if plan.band[0] > 0 && plan.bits[0] == 0 {
                        state.first_bits(block, plan)?;
                    } else if plan.band[0] > 0 {
                        state.refine(block, plan)?;
                    } else if plan.bits[0] == 0 {
                        state.mean(block[0] as i32 >> plan.bits[1], slot, component.table)?;
                    } else {
                        state.sink.bits(block[0] as u32 >> plan.bits[1], 1)?;
                    }
                }
            }
        }
    }
    state.end_empty_blocks()?;
    state.sink.finish()
}

/// Returns the number of bits of a magnitude.
fn length(magnitude: u32) -> u32 {
    u32::BITS - magnitude.leading_zeros()
}

/// Returns the bits that stand for a number, of which as many as its magnitude has are written.
fn bits_of(value: i32) -> u32 {
    if value < 0 { (value - 1) as u32 } else { value as u32 }
}

impl State<'_, '_> {
    fn mean(&mut self, value: i32, slot: usize, index: usize) -> Result<()> {
        let difference = value - self.means[slot];
        self.means[slot] = value;
        let length = length(difference.unsigned_abs());
        self.sink.symbol(table(false, index), length as u8)?;
        self.sink.bits(bits_of(difference), length)
    }

    /// Sends all AC coefficients.
    fn rest(&mut self, block: &[i16; 64], index: usize) -> Result<()> {
        let ac = table(true, index);
        let mut zeros = 0u32;
        for &place in &NATURAL_ORDER[1..64] {
            let value = block[place as usize] as i32;
            if value == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 {
                self.sink.symbol(ac, 0xF0)?;
                zeros -= 16;
            }
            let length = length(value.unsigned_abs());
            self.sink.symbol(ac, (zeros << 4 | length) as u8)?;
            self.sink.bits(bits_of(value), length)?;
            zeros = 0;
        }
        if zeros > 0 { self.sink.symbol(ac, 0) } else { Ok(()) }
    }

    fn first_bits(&mut self, block: &[i16; 64], plan: &Plan) -> Result<()> {
        let mut zeros = 0u32;
        for &place in &NATURAL_ORDER[plan.band[0]..=plan.band[1]] {
            let value = block[place as usize] as i32;
            let magnitude = value.unsigned_abs() >> plan.bits[1];
            if magnitude == 0 {
                zeros += 1;
                continue;
            }
            self.end_empty_blocks()?;
            while zeros > 15 {
                self.sink.symbol(self.ac, 0xF0)?;
                zeros -= 16;
            }
            let length = length(magnitude);
            self.sink.symbol(self.ac, (zeros << 4 | length) as u8)?;
            self.sink.bits(if value < 0 { !magnitude } else { magnitude }, length)?;
            zeros = 0;
        }
        if zeros > 0 {
            self.empty_blocks += 1;
            if self.empty_blocks == 0x7FFF {
                self.end_empty_blocks()?;
            }
        }
        Ok(())
    }

    fn refine(&mut self, block: &[i16; 64], plan: &Plan) -> Result<()> {
        let band = plan.band[0]..=plan.band[1];
        let at = |k: usize| block[NATURAL_ORDER[k] as usize] as i32;
        let magnitude = |k: usize| at(k).unsigned_abs() >> plan.bits[1];
        let last_new = band.clone().rev().find(|&k| magnitude(k) == 1).unwrap_or(0);
        let mut zeros = 0u32;
        // Corrections since the last symbol of this block.
        let mut corrections: Vec<bool> = Vec::new();
        for k in band {
            let magnitude = magnitude(k);
            if magnitude == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 && k <= last_new {
                self.end_empty_blocks()?;
                self.sink.symbol(self.ac, 0xF0)?;
                zeros -= 16;
                self.correct(&mut corrections)?;
            }
            if magnitude > 1 {
                corrections.push(magnitude & 1 == 1);
                continue;
            }
            self.end_empty_blocks()?;
            self.sink.symbol(self.ac, (zeros << 4 | 1) as u8)?;
            self.sink.bits(u32::from(at(k) >= 0), 1)?;
            self.correct(&mut corrections)?;
            zeros = 0;
        }
        if zeros > 0 || !corrections.is_empty() {
            self.empty_blocks += 1;
            self.corrections.append(&mut corrections);
            // libjpeg's limit of corrections that wait.
            if self.empty_blocks == 0x7FFF || self.corrections.len() > 1000 - 64 + 1 {
                self.end_empty_blocks()?;
            }
        }
        Ok(())
    }

    fn correct(&mut self, corrections: &mut Vec<bool>) -> Result<()> {
        for bit in corrections.drain(..) {
            self.sink.bits(u32::from(bit), 1)?;
        }
        Ok(())
    }

    /// Sends the number of blocks that had nothing new, and their corrections.
    fn end_empty_blocks(&mut self) -> Result<()> {
        if self.empty_blocks > 0 {
            let length = self.empty_blocks.ilog2();
            self.sink.symbol(self.ac, (length << 4) as u8)?;
            self.sink.bits(self.empty_blocks, length)?;
            self.empty_blocks = 0;
            let mut corrections = std::mem::take(&mut self.corrections);
            self.correct(&mut corrections)?;
            self.corrections = corrections;
        }
        Ok(())
    }
}
