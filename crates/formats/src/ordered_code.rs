//! An encoding whose byte order is the order of what it encodes: the keys of slices in an index.

pub fn write_string(out: &mut Vec<u8>, text: &[u8]) {
    for &byte in text {
        out.push(byte);
        // 0 and 255 are followed by a byte that keeps them apart from the end mark.
        match byte {
            0x00 => out.push(0xff),
            0xff => out.push(0x00),
            _ => {}
        }
    }
    out.extend([0x00, 0x01]);
}

/// A length byte, then the number's bytes, most significant first.
pub fn write_number(out: &mut Vec<u8>, value: u64) {
    let bytes = value.to_be_bytes();
    let used = 8 - value.leading_zeros() as usize / 8;
    out.push(used as u8);
    out.extend(&bytes[8 - used..]);
}

/// The leading bits tell the length (as many ones as bytes), inverted for negative numbers.
pub fn write_signed(out: &mut Vec<u8>, value: i64) {
    let magnitude = if value < 0 { !value } else { value } as u64;
    let bits = 64 - magnitude.leading_zeros() as usize;
    // n bytes carry 7 n - 1 bits of magnitude: the rest is header and sign.
    let length = (bits + 1).div_ceil(7).max(1);
    let sign = if value < 0 { 0xff } else { 0x00 };
    let mut buffer = [sign; 10];
    buffer[2..].copy_from_slice(&value.to_be_bytes());
    let start = 10 - length;
    let header: u16 = if length == 0 { 0 } else { !(0xffffu32 >> length) as u16 };
    buffer[start] ^= (header >> 8) as u8;
    if length > 1 {
        buffer[start + 1] ^= header as u8;
    }
    out.extend(&buffer[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn signed(value: i64) -> Vec<u8> {
        let mut out = Vec::new();
        write_signed(&mut out, value);
        out
    }

    #[test]
    fn known_encodings() {
        assert_eq!(signed(0), [0x80]);
        assert_eq!(signed(-1), [0x7f]);
        assert_eq!(signed(63), [0xbf]);
        assert_eq!(signed(64), [0xc0, 0x40]);
        let mut out = Vec::new();
        write_number(&mut out, 0);
        write_number(&mut out, 258);
        assert_eq!(out, [0, 2, 1, 2]);
    }

    proptest! {
        #[test]
        fn order_is_kept(a: i64, b: i64) {
            prop_assert_eq!(signed(a).cmp(&signed(b)), a.cmp(&b));
        }
    }
}
