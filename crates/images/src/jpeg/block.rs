//! Decoding the coefficients of a block.

use super::bits::Bits;
use super::huffman::{Huffman, LOOKAHEAD, extend};
use super::tables::NATURAL_ORDER;
use super::values::{END, Values};

/// The tables of AC coefficients.
pub(super) struct Coefficients {
    codes: Huffman,
    values: Values,
}

impl Coefficients {
    pub fn new(codes: Huffman) -> Coefficients {
        Coefficients { values: Values::new(&codes), codes }
    }
}

/// The coefficients of a block, and one place more for values that belong to none.
pub(super) type Block = [i16; 65];

/// The places of coefficients in a `Block`. Runs that lead beyond the end of a block go where `NATURAL_ORDER` has them,
/// and the mark of the end goes to the place that belongs to none.
const PLACES: [u8; 64 + END as usize] = {
    let mut places = [64; 64 + END as usize];
    let mut i = 0;
    while i < NATURAL_ORDER.len() {
        places[i] = NATURAL_ORDER[i];
        i += 1;
    }
    places
};

/// Decodes a DC coefficient's difference to the one before.
#[inline(always)]
pub(super) fn difference(bits: &mut Bits<'_>, codes: &Huffman) -> i32 {
    let length = codes.decode(bits) as u32;
    extend(bits.take(length), length)
}

/// Decodes the AC coefficients of a block of zeros.
///
/// libjpeg looks whether it must load bytes before each code and before each value. Here that is asked before codes only,
/// which gives the same bits; what else it means for the reader, at a marker and at the end, `Bits` makes up for.
#[inline(always)]
pub(super) fn coefficients(bits: &mut Bits<'_>, tables: &Coefficients, block: &mut Block) {
    let least = bits.least(LOOKAHEAD);
    let mut loaded = bits.loaded();
    let mut k = 1;
    let mut value = 0;
    while k < 64 {
        if loaded.count < least {
            bits.load_more(&mut loaded, value);
        }
        let found = tables.values.at(loaded.window);
        let count = found.bits as u32;
        // Neither what is not in the table nor what reaches beyond the bits that are loaded.
        if (1..=loaded.count).contains(&count) {
            loaded.window <<= count;
            loaded.count -= count;
            k += found.run as usize;
            value = found.value;
            block[PLACES[k] as usize] = value;
        } else {
            bits.set_loaded(loaded);
            k += long(bits, &tables.codes, k, block);
            loaded = bits.loaded();
            value = 0;
        }
        k += 1;
    }
    bits.set_loaded(loaded);
    // The next unit begins with what libjpeg has loaded by now.
    bits.load_before(value);
}

/// Decodes a coefficient whose first bits were required. Returns its run.
#[inline(never)]
fn long(bits: &mut Bits<'_>, codes: &Huffman, k: usize, block: &mut Block) -> usize {
    let symbol = codes.decode_required(bits);
    let (run, length) = ((symbol >> 4) as usize, (symbol & 15) as u32);
    if length > 0 {
        let value = extend(bits.take(length), length);
        // At most 63 + 15.
        block[NATURAL_ORDER[k + run] as usize] = value as i16;
    } else if run < 15 {
        return END as usize;
    }
    run
}
