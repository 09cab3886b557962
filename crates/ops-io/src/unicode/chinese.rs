//! Two-byte characters that ICU's Chinese encodings map differently from the web's tables.
//!
//! ICU fills the rows that the standards leave open with private-use characters, and has GB 18030 in the version of 2005.

/// Returns ICU's character in Big5, which is windows-950 there; the inner `None` is a place without one.
pub(super) fn big5(first: u8, second: u8) -> Option<Option<u32>> {
    match (first, second) {
        (0xa3, 0xc0..=0xe0) => return Some(None),
        (0xf9, 0xfe) => return Some(Some(0x2593)),
        _ => {}
    }
    // Places in a row: there are 63 before and 94 behind the gap.
    let place = match second {
        0x40..=0x7e => second - 0x40,
        0xa1..=0xfe => second - 0xa1 + 63,
        _ => return None,
    };
    let (row, start) = match first {
        0xfa..=0xfe => (0xfa, 0xe000),
        0x8e..=0xa0 => (0x8e, 0xe311),
        0x81..=0x8d => (0x81, 0xeeb8),
        // The first of these rows is taken before the gap.
        0xc6 if second < 0xa1 => return None,
        0xc6..=0xc8 => (0xc6, 0xf6b1 - 63),
        _ => return None,
    };
    Some(Some(start + u32::from(first - row) * 157 + u32::from(place)))
}

/// Returns ICU's character in GBK, which is windows-936 there.
pub(super) fn gbk(first: u8, second: u8) -> Option<u32> {
    Some(match (first, second) {
        (0xa2, 0xe3) => 0xe76c,
        (0xa8, 0xbc) => 0xe7c7,
        (0xa8, 0xbf) => 0xe7c8,
        (0xa9, 0x89..=0x95) => 0xe7e7 + u32::from(second - 0x89),
        (0xfe, 0x50..=0x7e) => 0xe815 + u32::from(second - 0x50),
        (0xfe, 0x80..=0xa0) => 0xe844 + u32::from(second - 0x80),
        _ => return gb18030(first, second),
    })
}

/// Returns ICU's character in GB 18030.
pub(super) fn gb18030(first: u8, second: u8) -> Option<u32> {
    Some(match (first, second) {
        (0xa3, 0xa0) => 0xe5e5,
        (0xa6, 0xd9..=0xdf) => 0xe78d + u32::from(second - 0xd9),
        (0xa6, 0xec | 0xed) => 0xe794 + u32::from(second - 0xec),
        (0xa6, 0xf3) => 0xe796,
        (0xfe, 0x59 | 0x61 | 0x66 | 0x67 | 0x6d | 0x7e) => 0xe815 + u32::from(second - 0x50),
        (0xfe, 0x90 | 0xa0) => 0xe844 + u32::from(second - 0x80),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_rows_have_private_use_characters() {
        assert_eq!(big5(0xfa, 0x40), Some(Some(0xe000)));
        assert_eq!(big5(0xfe, 0xfe), Some(Some(0xe310)));
        assert_eq!(big5(0xa0, 0xfe), Some(Some(0xeeb7)));
        assert_eq!(big5(0x8d, 0xfe), Some(Some(0xf6b0)));
        assert_eq!(big5(0xc6, 0xa1), Some(Some(0xf6b1)));
        assert_eq!(big5(0xc8, 0xfe), Some(Some(0xf848)));
        assert_eq!((big5(0xc6, 0x40), big5(0xb3, 0x4e)), (None, None));
        assert_eq!((gbk(0xfe, 0xa0), gbk(0xa6, 0xdf)), (Some(0xe864), Some(0xe793)));
        assert_eq!((gb18030(0xfe, 0x7e), gb18030(0xfe, 0x50)), (Some(0xe843), None));
    }
}
