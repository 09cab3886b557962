//! UTF-8, UTF-16 and UTF-32. What is malformed is counted as ICU counts it: in UTF-8 every longest beginning of a
//! character is one error, and what ends within a character is one.

use downpour_tensor::Result;

use super::decoder::Visit;

/// The mark of the byte order at the beginning of a text.
const MARK: u32 = 0xfeff;

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Big,
    Little,
}

pub(super) fn utf8(text: &[u8], visit: Visit<'_>) -> Result<()> {
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            visit(Some(character.into()), character.len_utf8())?;
        }
        if !chunk.invalid().is_empty() {
            visit(None, chunk.invalid().len())?;
        }
    }
    Ok(())
}

/// UTF-16 or UTF-32 in units of two or four bytes, in the order that a mark at the beginning says; big-endian without one.
///
/// TensorFlow decodes all texts of a tensor with one converter of ICU's, which keeps the order of a text for those
/// behind it, where a mark is then a character. It forgets the order where a text ends with an error, or is no more
/// than a mark and a character that UTF-16 has in one unit.
pub(super) fn marked<const UNIT: usize>(
    text: &[u8],
    order: &mut Option<ByteOrder>,
    visit: Visit<'_>,
) -> Result<()> {
    if let Some(known) = *order {
        if wide::<UNIT>(text, known, visit)? == End::Error {
            *order = None;
        }
        return Ok(());
    }
    let mut found = ByteOrder::Big;
    let mut rest = text;
    if let Some((first, after)) = text.split_first_chunk::<UNIT>() {
        for candidate in [ByteOrder::Big, ByteOrder::Little] {
            if unit(first, candidate) == MARK {
                (found, rest) = (candidate, after);
            }
        }
        if rest.is_empty() {
            // ICU makes this of a mark without a text.
            return visit(Some(0xffff), UNIT);
        }
    }
    // The bytes of the mark belong to the character behind it.
    let mut marked = text.len() - rest.len();
    let mut characters = 0;
    let mut is_short = true;
    let end = wide::<UNIT>(rest, found, &mut |character, size| {
        characters += 1;
        is_short &= character.is_none_or(|character| character <= 0xffff);
        visit(character, size + std::mem::take(&mut marked))
    })?;
    let is_kept = end == End::Character && !(characters <= 1 && is_short);
    *order = is_kept.then_some(found);
    Ok(())
}

/// How a text ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Character,
    Error,
}

/// UTF-16 or UTF-32 in units of two or four bytes of this order.
pub(super) fn wide<const UNIT: usize>(
    text: &[u8],
    order: ByteOrder,
    visit: Visit<'_>,
) -> Result<End> {
    let mut rest = text;
    let mut end = End::Character;
    while !rest.is_empty() {
        let (character, size) = match rest.split_first_chunk::<UNIT>() {
            None => (None, rest.len()),
            Some((first, after)) if UNIT == 2 => pair(unit(first, order), after, order),
            Some((first, _)) => (char::from_u32(unit(first, order)).map(u32::from), UNIT),
        };
        visit(character, size)?;
        end = if character.is_some() { End::Character } else { End::Error };
        rest = &rest[size..];
    }
    Ok(end)
}

/// Returns the character that begins with a unit of UTF-16, and its size.
fn pair(first: u32, after: &[u8], order: ByteOrder) -> (Option<u32>, usize) {
    match first {
        0xd800..0xdc00 => match after.split_first_chunk::<2>() {
            Some((second, _)) => match unit(second, order) {
                second @ 0xdc00..0xe000 => {
                    (Some(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 4)
                }
                _ => (None, 2),
            },
            None => (None, 2 + after.len()),
        },
        0xdc00..0xe000 => (None, 2),
        _ => (Some(first), 2),
    }
}

fn unit(bytes: &[u8], order: ByteOrder) -> u32 {
    let join = |value: u32, &byte: &u8| value << 8 | u32::from(byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, join),
        ByteOrder::Little => bytes.iter().rev().fold(0, join),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters, U+110000 for errors, with their sizes.
    fn all(decode: impl Fn(Visit<'_>) -> Result<()>) -> Vec<(u32, usize)> {
        let mut found = Vec::new();
        decode(&mut |character, size| {
            found.push((character.unwrap_or(0x11_0000), size));
            Ok(())
        })
        .unwrap();
        found
    }

    const BAD: u32 = 0x11_0000;

    #[test]
    fn malformed_utf8_is_counted_as_icu_counts() {
        let all = |text: &[u8]| all(|visit| utf8(text, visit));
        assert_eq!(all(b"\xe2\x82a"), [(BAD, 2), (0x61, 1)]);
        assert_eq!(all(b"\xf0\x9f\x98"), [(BAD, 3)]);
        assert_eq!(all(b"\xed\xa0\x80"), [(BAD, 1); 3]);
        assert_eq!(all(b"\xc0\x80"), [(BAD, 1); 2]);
        assert_eq!(all(b"\xe1\x80\xe1\x80\x80"), [(BAD, 2), (0x1000, 3)]);
        assert_eq!(all(b"\xef\xbb\xbfa"), [(MARK, 3), (0x61, 1)]);
    }

    #[test]
    fn a_mark_says_the_order_where_none_is_given() {
        let all = |text: &[u8]| all(|visit| marked::<2>(text, &mut None, visit));
        assert_eq!(all(b"\x00a\x00b"), [(0x61, 2), (0x62, 2)]);
        assert_eq!(all(b"\xff\xfea\x00b\x00"), [(0x61, 4), (0x62, 2)]);
        assert_eq!(all(b"\xfe\xff\x00a\xfe\xff"), [(0x61, 4), (MARK, 2)]);
        assert_eq!(all(b"\xff\xfe"), [(0xffff, 2)]);
        assert_eq!(all(b"\xff"), [(BAD, 1)]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn the_order_stays_for_later_texts_until_one_ends_badly() {
        let mut order = None;
        let mut next = |text: &[u8]| {
            let mut found = Vec::new();
            let mut visit = |character: Option<u32>, _| {
                found.push(character.unwrap_or(BAD));
                Ok(())
            };
            marked::<2>(text, &mut order, &mut visit).unwrap();
            found
        };
        assert_eq!(next(b"\x00a"), [0x61]);
        assert!(next(b"").is_empty());
        assert_eq!(next(b"\xff\xfea\x00b\x00"), [0x61, 0x62]);
        assert_eq!(next(b"a\x00"), [0x61]);
        assert_eq!(next(b"\xff\xfe"), [MARK]);
        assert_eq!(next(b"a\x00b"), [0x61, BAD]);
        assert_eq!(next(b"\x00a"), [0x61]);
    }

    #[test]
    fn surrogates_come_in_pairs() {
        let all = |text: &[u8]| all(|visit| wide::<2>(text, ByteOrder::Big, visit).map(drop));
        assert_eq!(all(b"\xd8\x00\xdc\x00"), [(0x1_0000, 4)]);
        assert_eq!(all(b"\xd8\x00\xd8\x00\xdc\x01"), [(BAD, 2), (0x1_0001, 4)]);
        assert_eq!(all(b"\xdc\x00\x00a"), [(BAD, 2), (0x61, 2)]);
        assert_eq!(all(b"\xd8\x00\xdc"), [(BAD, 3)]);
    }

    #[test]
    fn four_bytes_are_a_character() {
        let all = |text: &[u8]| all(|visit| wide::<4>(text, ByteOrder::Little, visit).map(drop));
        assert_eq!(all(b"\x00\xf6\x01\x00"), [(0x1_f600, 4)]);
        assert_eq!(all(b"\x00\x00\x11\x00a\x00\x00\x00"), [(BAD, 4), (0x61, 4)]);
        assert_eq!(all(b"\x00\xd8\x00\x00\x00"), [(BAD, 4), (BAD, 1)]);
    }
}
