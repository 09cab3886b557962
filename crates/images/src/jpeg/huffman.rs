//! Huffman codes, decoded by table.

use super::bits::Bits;
use super::failure::{Failure, Outcome};
use super::tables::Code;

/// Codes up to this length are decoded by one look into a table.
pub(super) const LOOKAHEAD: u32 = 8;

/// Counts of codes by length and the symbols of all codes, as a file gives them.
#[derive(Clone)]
pub(super) struct Description {
    pub counts: [u8; 16],
    pub symbols: [u8; 256],
}

impl Description {
    pub fn standard(code: &Code) -> Description {
        let mut symbols = [0; 256];
        symbols[..code.symbols.len()].copy_from_slice(code.symbols);
        Description { counts: code.counts, symbols }
    }
}

/// A code made ready for decoding.
pub(super) struct Huffman {
    /// By the next bits: the code's length and its symbol; length 0 if the code is longer.
    lookup: [(u8, u8); 1 << LOOKAHEAD],
    /// By length: the largest code, or -1 if there is none; the last entry ends every search.
    largest: [i32; 18],
    /// By length: the index of a code's symbol, less the code.
    offset: [i32; 18],
    symbols: [u8; 256],
}

impl Huffman {
    /// Prepares a table for differences of DC coefficients, whose symbols are lengths up to 15, or for AC coefficients.
    pub fn new(description: &Description, dc: bool) -> Outcome<Huffman> {
        let mut huffman = Huffman {
            lookup: [(0, 0); 1 << LOOKAHEAD],
            largest: [-1; 18],
            offset: [0; 18],
            symbols: description.symbols,
        };
        huffman.largest[17] = i32::MAX;
        let (mut code, mut index) = (0i32, 0usize);
        for length in 1..=16usize {
            let count = description.counts[length - 1] as usize;
            huffman.offset[length] = index as i32 - code;
            for _ in 0..count {
                if code >= 1 << length || index >= 256 {
                    return Err(Failure::Invalid("bad Huffman table"));
                }
                let symbol = description.symbols[index];
                if dc && symbol > 15 {
                    return Err(Failure::Invalid("bad Huffman table"));
                }
                if length as u32 <= LOOKAHEAD {
                    let spare = LOOKAHEAD as usize - length;
                    let first = (code as usize) << spare;
                    huffman.lookup[first..first + (1 << spare)].fill((length as u8, symbol));
                }
                code += 1;
                index += 1;
            }
            if count > 0 {
                huffman.largest[length] = code - 1;
            }
            code <<= 1;
        }
        Ok(huffman)
    }

    /// Calls `f` for each code of up to `LOOKAHEAD` bits with the next bits that begin it first, its length and its symbol.
    pub fn for_short_codes(&self, mut f: impl FnMut(usize, u32, u8)) {
        let mut first = 0;
        while let Some(&(length, symbol)) = self.lookup.get(first) {
            if length == 0 {
                first += 1;
            } else {
                f(first, length as u32, symbol);
                first += 1 << (LOOKAHEAD - length as u32);
            }
        }
    }

    /// Decodes the next symbol. A code that does not exist gives 0.
    #[inline(always)]
    pub fn decode(&self, bits: &mut Bits<'_>) -> u8 {
        bits.require(LOOKAHEAD);
        self.decode_required(bits)
    }

    /// Decodes the next symbol after `LOOKAHEAD` bits were required.
    #[inline(always)]
    pub fn decode_required(&self, bits: &mut Bits<'_>) -> u8 {
        let (length, symbol) = self.lookup[bits.peek(LOOKAHEAD) as usize];
        if length != 0 {
            bits.skip(length as u32);
            return symbol;
        }
        self.decode_long(bits)
    }

    #[cold]
    fn decode_long(&self, bits: &mut Bits<'_>) -> u8 {
        let mut length = LOOKAHEAD as usize + 1;
        let mut code = bits.take(length as u32) as i32;
        while code > self.largest[length] {
            code = code << 1 | bits.take(1) as i32;
            length += 1;
        }
        if length > 16 {
            return 0;
        }
        self.symbols[(code.wrapping_add(self.offset[length]) & 255) as usize]
    }
}

/// Returns the signed number that `length` bits stand for.
#[inline(always)]
pub(super) fn extend(value: u32, length: u32) -> i32 {
    let value = value as i32;
    if length > 0 && value < 1 << (length - 1) { value - (1 << length) + 1 } else { value }
}
