//! Encodings in which each byte is a character.

use encoding_rs::Encoding;

/// The character of each byte; `NONE` where there is none.
pub(super) struct Table([u32; 256]);

const NONE: u32 = u32::MAX;

impl Table {
    /// Returns US-ASCII, whose upper half is empty.
    pub fn ascii() -> Table {
        Table(std::array::from_fn(|byte| if byte < 0x80 { byte as u32 } else { NONE }))
    }

    /// Returns ISO-8859-1, in which each byte is the code point of the same number.
    pub fn latin1() -> Table {
        Table(std::array::from_fn(|byte| byte as u32))
    }

    /// Returns an encoding with other characters at some bytes: ICU knows older tables than the web's.
    pub fn new(encoding: &'static Encoding, others: &[(u8, u32)]) -> Table {
        let mut table = Table(std::array::from_fn(|byte| {
            let bytes = [byte as u8];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            text.and_then(|text| text.chars().next()).map_or(NONE, u32::from)
        }));
        others.iter().for_each(|&(byte, character)| table.0[byte as usize] = character);
        table
    }

    /// Returns the encoding with control characters at 0x80 to 0x9f.
    pub fn with_controls(mut self) -> Table {
        (0x80..0xa0).for_each(|byte| self.0[byte] = byte as u32);
        self
    }

    /// Returns the character of a byte.
    #[inline]
    pub fn character(&self, byte: u8) -> Option<u32> {
        Some(self.0[byte as usize]).filter(|&character| character != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_characters_or_nothing() {
        assert_eq!(Table::ascii().character(b'a'), Some(0x61));
        assert_eq!(Table::ascii().character(0x80), None);
        assert_eq!(Table::latin1().character(0xff), Some(0xff));
        let table = Table::new(encoding_rs::WINDOWS_1252, &[(0xaa, 0x41)]);
        assert_eq!(table.character(0x80), Some(0x20ac));
        assert_eq!(table.character(0xaa), Some(0x41));
        assert_eq!(table.with_controls().character(0x80), Some(0x80));
    }
}
