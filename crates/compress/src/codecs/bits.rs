//! Unsigned integers in as few bits as the largest of each group of 128 needs.
//!
//! A group of n values of w bits takes n·w bits, rounded up to whole bytes; the widths stand elsewhere, a byte each.

/// Values that share a width.
pub(crate) const GROUP: usize = 128;

/// The widest value that can be packed; wider ones do not occur among positions in memory.
pub(crate) const MAX_WIDTH: u8 = 56;

/// Bits that the largest of the values needs.
pub(crate) fn width(values: &[u64]) -> u8 {
    let all = values.iter().fold(0, |all, value| all | value);
    (u64::BITS - all.leading_zeros()) as u8
}

/// Bytes that `count` values of this width take.
pub(crate) fn packed_len(count: usize, width: u8) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Appends values, none wider than `width`.
pub(crate) fn pack(values: &[u64], width: u8, out: &mut Vec<u8>) {
    let (mut pending, mut filled) = (0u64, 0u32);
    for &value in values {
        pending |= value << filled;
        filled += width as u32;
        while filled >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(pending as u8);
    }
}

/// Reads as many values as `out` has from exactly `packed_len` bytes.
pub(crate) fn unpack(bytes: &[u8], width: u8, out: &mut [u64]) {
    let mask = (1u64 << width) - 1;
    let mut rest = bytes.iter();
    let (mut pending, mut filled) = (0u64, 0u32);
    for value in out {
        while filled < width as u32 {
            pending |= (rest.next().copied().unwrap_or(0) as u64) << filled;
            filled += 8;
        }
        *value = pending & mask;
        pending >>= width;
        filled -= width as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn round_trip(values in prop::collection::vec(0u64..1 << MAX_WIDTH, 0..GROUP), narrow in 0u32..56) {
            let values: Vec<u64> = values.iter().map(|v| v >> narrow).collect();
            let width = width(&values);
            let mut bytes = Vec::new();
            pack(&values, width, &mut bytes);
            prop_assert_eq!(bytes.len(), packed_len(values.len(), width));
            let mut back = vec![0; values.len()];
            unpack(&bytes, width, &mut back);
            prop_assert_eq!(back, values);
        }
    }
}
