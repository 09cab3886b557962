//! Scans that hold whole blocks, one after the other.

use super::bits::Bits;
use super::block::{Coefficients, coefficients, difference};
use super::failure::{Failure, Outcome};
use super::header::{Header, Scan};
use super::huffman::Huffman;
use super::planes::Planes;
use crate::checkpoint::Checkpoint;

/// One component of a scan.
struct Part {
    component: usize,
    dc: Huffman,
    /// Its place among the tables of AC coefficients.
    ac: usize,
    /// The DC coefficient of the block before.
    mean: i32,
}

/// Decodes a scan into samples. Returns the number of whole rows of units that the data had.
pub(super) fn decode(
    header: &Header,
    scan: &Scan,
    planes: &mut Planes,
    bits: &mut Bits<'_>,
    checkpoint: Checkpoint<'_>,
) -> Outcome<usize> {
    let mut parts = Vec::with_capacity(scan.components.len());
    // Components that name one table share it.
    let mut tables: Vec<(usize, Coefficients)> = Vec::with_capacity(scan.components.len());
    for &(component, [dc, ac]) in &scan.components {
        let dc = header.dc.get(dc).and_then(Option::as_ref);
        let description = header.ac.get(ac).and_then(Option::as_ref);
        let (Some(dc), Some(description)) = (dc, description) else {
            return Err(Failure::Invalid("a Huffman table is missing"));
        };
        let dc = Huffman::new(dc, true)?;
        let known = tables.iter().position(|&(number, _)| number == ac);
        if known.is_none() {
            tables.push((ac, Coefficients::new(Huffman::new(description, false)?)));
        }
        let ac = known.unwrap_or(tables.len() - 1);
        parts.push(Part { component, dc, ac, mean: 0 });
    }
    let alone = match &parts[..] {
        [part] => Some(part.component),
        _ => None,
    };
    let [units_wide, units_high] = planes.units(alone);
    let blocks: usize =
        parts.iter().map(|p| planes.blocks_per_unit(p.component, alone)).map(|[h, v]| h * v).sum();
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
                    parts.iter_mut().for_each(|part| part.mean = 0);
                }
                until_restart -= 1;
            }
            bits.begin_unit(blocks);
            // Where the bits ended within a unit, all units behind it are grey.
            let missing = bits.overrun();
            for part in &mut parts {
                let [wide, high] = planes.blocks_per_unit(part.component, alone);
                for i in 0..wide * high {
                    let mut block = [0; 65];
                    if !missing {
                        part.mean = part.mean.wrapping_add(difference(bits, &part.dc));
                        block[0] = part.mean as i16;
                        coefficients(bits, &tables[part.ac].1, &mut block);
                    }
                    planes.put(part.component, [x * wide + i % wide, y * high + i / wide], &block);
                }
            }
            if bits.starved() {
                return Ok(y);
            }
        }
    }
    Ok(units_high)
}
