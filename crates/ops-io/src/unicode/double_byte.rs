//! Encodings of Japanese, Korean and Chinese, in which a character takes one to four bytes.
//!
//! The characters are those of the web's tables, which are ICU's here. What is malformed is counted as ICU counts it:
//! bytes that could be a character but are none are one error, and where a byte cannot follow, the error ends before the
//! first byte that can begin a character of its own.

use downpour_tensor::Result;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

use super::chinese;
use super::decoder::Visit;

/// One of the encodings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DoubleByte {
    ShiftJis,
    EucJp,
    EucKr,
    Big5,
    Gbk,
    Gb18030,
}

/// The kinds of sequences that a first byte begins.
enum First {
    Character(u32),
    Nothing,
    /// Further bytes, each of which must be in one of the ranges of its place.
    Sequence(&'static [Ranges]),
}

type Ranges = &'static [(u8, u8)];

const GRAPHIC: Ranges = &[(0xa1, 0xfe)];
const LEADING: Ranges = &[(0x81, 0xfe)];
const TRAILING: Ranges = &[(0x40, 0x7e), (0x80, 0xfe)];
const DIGIT: Ranges = &[(0x30, 0x39)];

impl DoubleByte {
    pub fn decode(self, text: &[u8], visit: Visit<'_>) -> Result<()> {
        let mut rest = text;
        while let Some(&first) = rest.first() {
            let (character, size) = match self.first(first, rest.get(1).copied()) {
                First::Character(character) => (Some(character), 1),
                First::Nothing => (None, 1),
                First::Sequence(more) => self.sequence(rest, more),
            };
            visit(character, size)?;
            rest = &rest[size..];
        }
        Ok(())
    }

    fn first(self, byte: u8, second: Option<u8>) -> First {
        match (self, byte) {
            // IBM's table, which ICU takes for Shift-JIS, has these three elsewhere.
            (DoubleByte::ShiftJis, 0x1a) => First::Character(0x1c),
            (DoubleByte::ShiftJis, 0x1c) => First::Character(0x7f),
            (DoubleByte::ShiftJis, 0x7f) => First::Character(0x1a),
            (_, 0..=0x7f) => First::Character(byte.into()),
            (DoubleByte::ShiftJis, 0xa1..=0xdf) => {
                First::Character(0xff61 + u32::from(byte - 0xa1))
            }
            (DoubleByte::ShiftJis, 0x81..=0x9f | 0xe0..=0xfc) => {
                First::Sequence(&[&[(0x40, 0x7e), (0x80, 0xfc)]])
            }
            (DoubleByte::EucJp, 0x8e) => First::Sequence(&[&[(0xa1, 0xe4)]]),
            (DoubleByte::EucJp, 0x8f) => First::Sequence(&[GRAPHIC, GRAPHIC]),
            (DoubleByte::EucKr, 0x8e | 0x8f) => First::Nothing,
            (DoubleByte::EucJp | DoubleByte::EucKr, 0x80..=0x9f) => First::Character(byte.into()),
            (DoubleByte::EucJp | DoubleByte::EucKr, 0xa1..=0xfe) => First::Sequence(&[GRAPHIC]),
            (DoubleByte::Gb18030, 0x81..=0xfe) if matches!(second, Some(b'0'..=b'9')) => {
                First::Sequence(&[DIGIT, LEADING, DIGIT])
            }
            (DoubleByte::Big5 | DoubleByte::Gbk | DoubleByte::Gb18030, 0x81..=0xfe) => {
                First::Sequence(&[TRAILING])
            }
            (DoubleByte::Big5, 0x80) => First::Character(0x80),
            (DoubleByte::Big5, 0xff) => First::Character(0xf8f8),
            (DoubleByte::Gbk, 0x80) => First::Character(0x20ac),
            (DoubleByte::Gbk, 0xff) => First::Character(0xf8f5),
            _ => First::Nothing,
        }
    }

    /// Returns the character at the beginning, which takes bytes in `more` behind the first one, and its size.
    fn sequence(self, text: &[u8], more: &[Ranges]) -> (Option<u32>, usize) {
        let follows = |(byte, ranges): &(&u8, &Ranges)| {
            ranges.iter().any(|(low, high)| (low..=high).contains(byte))
        };
        let found = 1 + text[1..].iter().zip(more).take_while(follows).count();
        if found > more.len() {
            return (self.lookup(&text[..found]), found);
        }
        if found == text.len() {
            // The text ends within the character.
            return (None, found);
        }
        // An error, which ends before the first byte that can begin a character.
        let begins = text[1..=found].iter().position(|&byte| self.can_begin(byte));
        (None, 1 + begins.unwrap_or(found))
    }

    /// Returns whether ICU takes this byte for the first one of a character, be it a known one or not.
    fn can_begin(self, byte: u8) -> bool {
        match self {
            DoubleByte::EucJp | DoubleByte::EucKr => !matches!(byte, 0xa0 | 0xff),
            DoubleByte::Gb18030 => !matches!(byte, 0x80 | 0xff),
            DoubleByte::ShiftJis | DoubleByte::Big5 | DoubleByte::Gbk => true,
        }
    }

    fn lookup(self, bytes: &[u8]) -> Option<u32> {
        let encoding: &Encoding = match (self, bytes) {
            (DoubleByte::EucJp, [0x8e, 0xe0]) => return Some(0xa2),
            (DoubleByte::EucJp, [0x8e, 0xe1]) => return Some(0xa3),
            (DoubleByte::EucJp, [0x8e, 0xe2]) => return Some(0xac),
            // Numerals and a sign of IBM's, which the web has in two bytes only.
            (DoubleByte::EucJp, [0x8f, 0xf3, third @ 0xa1..=0xaa]) => {
                return Some(0x2170 + u32::from(third - 0xa1));
            }
            (DoubleByte::EucJp, [0x8f, 0xf3, third @ 0xab..=0xb4]) => {
                return Some(0x2160 + u32::from(third - 0xab));
            }
            (DoubleByte::EucJp, [0x8f, 0xf3, 0xb7]) => return Some(0x3231),
            // The euro sign and the registered sign came later.
            (DoubleByte::EucKr, [0xa2, 0xe6 | 0xe7]) => return None,
            // Two rows for characters of one's own.
            (DoubleByte::EucKr, [0xc9, second]) => return Some(0xe000 + u32::from(second - 0xa1)),
            (DoubleByte::EucKr, [0xfe, second]) => return Some(0xe05e + u32::from(second - 0xa1)),
            (DoubleByte::ShiftJis, _) => SHIFT_JIS,
            (DoubleByte::EucJp, _) => EUC_JP,
            (DoubleByte::EucKr, _) => EUC_KR,
            (DoubleByte::Big5, [first, second]) => match chinese::big5(*first, *second) {
                Some(own) => return own,
                None => BIG5,
            },
            (DoubleByte::Gbk, [first, second]) => match chinese::gbk(*first, *second) {
                Some(own) => return Some(own),
                None => GBK,
            },
            (DoubleByte::Gb18030, [first, second]) => match chinese::gb18030(*first, *second) {
                Some(own) => return Some(own),
                None => GB18030,
            },
            (DoubleByte::Big5, _) => BIG5,
            (DoubleByte::Gbk, _) => GBK,
            (DoubleByte::Gb18030, _) => GB18030,
        };
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        let mut characters = text.chars();
        let character = characters.next().filter(|_| characters.next().is_none());
        character.map(u32::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAD: u32 = 0x11_0000;

    fn all(encoding: DoubleByte, text: &[u8]) -> Vec<(u32, usize)> {
        let mut found = Vec::new();
        let mut visit = |character: Option<u32>, size| {
            found.push((character.unwrap_or(BAD), size));
            Ok(())
        };
        encoding.decode(text, &mut visit).unwrap();
        found
    }

    #[test]
    fn characters_are_those_of_icu() {
        assert_eq!(
            all(DoubleByte::ShiftJis, b"\x82\xa0a\xb1"),
            [(0x3042, 2), (0x61, 1), (0xff71, 1)]
        );
        assert_eq!(
            all(DoubleByte::EucJp, b"\xa4\xa2\x8e\xb1\x8f\xb0\xa1"),
            [(0x3042, 2), (0xff71, 2), (0x4e02, 3)]
        );
        assert_eq!(all(DoubleByte::EucKr, b"\xb0\xa1\x81A"), [(0xac00, 2), (0x81, 1), (0x41, 1)]);
        assert_eq!(all(DoubleByte::Big5, b"\xb3\x4ea\xff"), [(0x8853, 2), (0x61, 1), (0xf8f8, 1)]);
        assert_eq!(all(DoubleByte::Gbk, b"\xca\xf5\x80"), [(0x672f, 2), (0x20ac, 1)]);
        assert_eq!(
            all(DoubleByte::Gb18030, b"\xca\xf5\x81\x30\x81\x30\x90\x30\x81\x30"),
            [(0x672f, 2), (0x80, 4), (0x1_0000, 4)]
        );
    }

    #[test]
    fn what_is_malformed_is_counted_as_icu_counts() {
        assert_eq!(all(DoubleByte::ShiftJis, b"\x82 "), [(BAD, 1), (0x20, 1)]);
        assert_eq!(all(DoubleByte::ShiftJis, b"\x85\x40"), [(BAD, 2)]);
        assert_eq!(all(DoubleByte::ShiftJis, b"\x82"), [(BAD, 1)]);
        assert_eq!(all(DoubleByte::EucJp, b"\xa4a\xff"), [(BAD, 1), (0x61, 1), (BAD, 1)]);
        assert_eq!(all(DoubleByte::EucJp, b"\xd0\x8e"), [(BAD, 1), (BAD, 1)]);
        assert_eq!(all(DoubleByte::EucJp, b"\xa1\xa0a"), [(BAD, 2), (0x61, 1)]);
        assert_eq!(all(DoubleByte::EucJp, b"\x8f\xb0\xa0"), [(BAD, 1), (BAD, 2)]);
        assert_eq!(all(DoubleByte::EucJp, b"\x8f\xb0"), [(BAD, 2)]);
        assert_eq!(all(DoubleByte::EucKr, b"\xe0\x8e"), [(BAD, 1), (BAD, 1)]);
        assert_eq!(all(DoubleByte::Big5, b"\x81\x7f\xa1\x80"), [(BAD, 1), (0x7f, 1), (BAD, 2)]);
        assert_eq!(all(DoubleByte::Gbk, b"\x81\xff"), [(BAD, 1), (0xf8f5, 1)]);
        assert_eq!(all(DoubleByte::Gb18030, b"\x81\xffA\xff"), [(BAD, 2), (0x41, 1), (BAD, 1)]);
        assert_eq!(
            all(DoubleByte::Gb18030, b"\x81\x30A\x81\x30"),
            [(BAD, 1), (0x30, 1), (0x41, 1), (BAD, 2)]
        );
    }
}
