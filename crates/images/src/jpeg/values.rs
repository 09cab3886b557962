//! AC coefficients whose code and value are short, decoded by one look into a table.

use super::huffman::{Huffman, LOOKAHEAD, extend};

/// Codes and values that have together up to so many bits are in the table.
pub(super) const BITS: u32 = 10;

/// A run that leads beyond the end of any block, and so ends it.
pub(super) const END: u8 = 80;

/// A coefficient, and how many bits its code and value take.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    /// The value behind a run of zeros; 0 if there is only a run.
    pub value: i16,
    /// The zeros before the value or, in place of a value, another zero.
    pub run: u8,
    /// The bits of code and value; 0 if they are not in the table.
    pub bits: u8,
}

/// A table from the next bits to the coefficient that they begin with.
pub(super) struct Values([Entry; 1 << BITS]);

impl Values {
    pub fn new(codes: &Huffman) -> Values {
        let mut table = [Entry::default(); 1 << BITS];
        codes.for_short_codes(|first, length, symbol| {
            let (run, size) = (symbol >> 4, (symbol & 15) as u32);
            if length + size > BITS {
                return;
            }
            // A symbol without a value is a run of 16 zeros, or the block's end.
            let run = if size == 0 && run < 15 { END } else { run };
            let span = 1 << (BITS - length - size);
            let places = table[first << (BITS - LOOKAHEAD)..].chunks_exact_mut(span);
            for (value, places) in (0..1 << size).zip(places) {
                let value = extend(value, size) as i16;
                places.fill(Entry { value, run, bits: (length + size) as u8 });
            }
        });
        Values(table)
    }

    /// Returns the coefficient that a window of bits begins with.
    #[inline(always)]
    pub fn at(&self, window: u64) -> Entry {
        self.0[(window >> (64 - BITS)) as usize]
    }
}
