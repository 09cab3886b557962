//! Scans that hold some coefficients, or some bits of coefficients, of all blocks.

use super::bits::Bits;
use super::failure::{Failure, Outcome};
use super::header::{Header, Scan};
use super::huffman::{Huffman, extend};
use super::planes::Planes;
use super::tables::NATURAL_ORDER;
use crate::checkpoint::Checkpoint;

/// The state that a scan keeps from block to block.
struct State {
    /// The DC coefficient of each component's block before.
    means: [i32; 4],
    /// How many more blocks have no new coefficients.
    empty_blocks: u32,
}

/// Decodes a scan into coefficients. Returns false if the data end within it.
pub(super) fn decode(
    header: &Header,
    scan: &Scan,
    planes: &mut Planes,
    bits: &mut Bits<'_>,
    checkpoint: Checkpoint<'_>,
) -> Outcome<bool> {
    let [first, last] = scan.band;
    let [before, low] = scan.bits;
    let band_is_bad = if first == 0 {
        last != 0
    } else {
        first > last || last > 63 || scan.components.len() != 1
    };
    if band_is_bad || low > 13 || (before != 0 && low + 1 != before) {
        return Err(Failure::Invalid("bad progression"));
    }
    // No table is needed to refine DC coefficients.
    let mut tables = Vec::with_capacity(scan.components.len());
    for &(_, [dc, ac]) in &scan.components {
        let (tables_of_kind, index) = if first == 0 { (&header.dc, dc) } else { (&header.ac, ac) };
        let description = tables_of_kind.get(index).and_then(Option::as_ref);
        tables.push(match description {
            Some(description) => Some(Huffman::new(description, first == 0)?),
            None if first == 0 && before != 0 => None,
            None => return Err(Failure::Invalid("a Huffman table is missing")),
        });
    }
    let alone = match scan.components[..] {
        [(component, _)] => Some(component),
        _ => None,
    };
    let [units_wide, units_high] = planes.units(alone);
    let mut state = State { means: [0; 4], empty_blocks: 0 };
    let mut until_restart = header.restart_interval;
    let mut restarts = 0u8;
    for y in 0..units_high {
        checkpoint()?;
        for x in 0..units_wide {
            if header.restart_interval > 0 {
                if until_restart == 0 {
                    bits.restart(restarts & 7);
                    restarts = restarts.wrapping_add(1);
                    until_restart = header.restart_interval;
                    state = State { means: [0; 4], empty_blocks: 0 };
                }
                until_restart -= 1;
            }
            if bits.overrun() {
                continue;
            }
            for (i, &(component, _)) in scan.components.iter().enumerate() {
                let [wide, high] = planes.blocks_per_unit(component, alone);
                for j in 0..wide * high {
                    let place = [x * wide + j % wide, y * high + j / wide];
                    let block = planes.coefficients(component, place);
                    match (&tables[i], first, before) {
                        (Some(table), 0, 0) => {
                            let length = table.decode(bits) as u32;
                            let difference = extend(bits.take(length), length);
                            state.means[i] = state.means[i].wrapping_add(difference);
                            block[0] = (state.means[i] << low) as i16;
                        }
                        (_, 0, _) => block[0] |= (bits.take(1) << low) as i16,
                        (Some(table), _, 0) => {
                            first_bits(bits, table, scan, &mut state.empty_blocks, block);
                        }
                        (Some(table), ..) => {
                            refine(bits, table, scan, &mut state.empty_blocks, block);
                        }
                        (None, ..) => {}
                    }
                }
            }
            if bits.starved() {
                return Ok(false);
            }
            bits.begin_unit(0);
        }
    }
    Ok(true)
}

/// Decodes the upper bits of AC coefficients.
fn first_bits(
    bits: &mut Bits<'_>,
    table: &Huffman,
    scan: &Scan,
    empty_blocks: &mut u32,
    block: &mut [i16; 64],
) {
    if *empty_blocks > 0 {
        *empty_blocks -= 1;
        return;
    }
    let [mut k, last] = scan.band;
    while k <= last {
        let symbol = table.decode(bits);
        let (run, length) = ((symbol >> 4) as u32, (symbol & 15) as u32);
        if length > 0 {
            k += run as usize;
            let value = extend(bits.take(length), length);
            block[NATURAL_ORDER[k] as usize] = (value << scan.bits[1]) as i16;
        } else if run == 15 {
            k += 15;
        } else {
            // This block is among the empty ones.
            *empty_blocks = (1 << run) + bits.take(run) - 1;
            break;
        }
        k += 1;
    }
}

/// Decodes one more bit of the AC coefficients that are not zero, and new ones among the others.
fn refine(
    bits: &mut Bits<'_>,
    table: &Huffman,
    scan: &Scan,
    empty_blocks: &mut u32,
    block: &mut [i16; 64],
) {
    let unit = 1i16 << scan.bits[1];
    let correct = |bits: &mut Bits<'_>, value: &mut i16| {
        if bits.take(1) == 1 && *value & unit == 0 {
            *value = value.wrapping_add(if *value >= 0 { unit } else { -unit });
        }
    };
    let [mut k, last] = scan.band;
    if *empty_blocks == 0 {
        while k <= last {
            let symbol = table.decode(bits);
            let (mut zeros, length) = ((symbol >> 4) as u32, symbol & 15);
            let mut value = 0;
            if length > 0 {
                value = if bits.take(1) == 1 { unit } else { -unit };
            } else if zeros != 15 {
                *empty_blocks = (1 << zeros) + bits.take(zeros);
                break;
            }
            while k <= last {
                let place = &mut block[NATURAL_ORDER[k] as usize];
                if *place != 0 {
                    correct(bits, place);
                } else if zeros == 0 {
                    break;
                } else {
                    zeros -= 1;
                }
                k += 1;
            }
            if value != 0 {
                block[NATURAL_ORDER[k] as usize] = value;
            }
            k += 1;
        }
    }
    if *empty_blocks > 0 {
        while k <= last {
            let place = &mut block[NATURAL_ORDER[k] as usize];
            if *place != 0 {
                correct(bits, place);
            }
            k += 1;
        }
        *empty_blocks -= 1;
    }
}
