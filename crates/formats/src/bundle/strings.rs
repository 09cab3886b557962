//! How a string tensor lies in a data file: lengths as varints, a checksum of the lengths, the bytes.

use downpour_tensor::{ByteString, CountedVec, Result, Status};

use crate::checksum::{mask, unmask};
use crate::table::{read_varint, write_varint};

/// Extends a checksum by a length, as four bytes (eight for lengths beyond 32 bits).
fn extend_by_length(crc: u32, length: u64) -> u32 {
    match u32::try_from(length) {
        Ok(short) => crc32c::crc32c_append(crc, &short.to_le_bytes()),
        Err(_) => crc32c::crc32c_append(crc, &length.to_le_bytes()),
    }
}

/// What stands before the bytes of the strings, and the (unmasked) checksum, which covers lengths, their checksum and
/// the bytes.
pub fn encode(values: &[ByteString]) -> (Vec<u8>, u32) {
    let mut out = Vec::new();
    let mut crc = 0;
    for value in values {
        write_varint(&mut out, value.len() as u64);
        crc = extend_by_length(crc, value.len() as u64);
    }
    let of_lengths = mask(crc).to_le_bytes();
    out.extend(of_lengths);
    crc = crc32c::crc32c_append(crc, &of_lengths);
    for value in values {
        crc = crc32c::crc32c_append(crc, value);
    }
    (out, crc)
}

/// Reads `count` strings and verifies both checksums.
pub fn decode(bytes: &ByteString, count: usize, stored: u32) -> Result<CountedVec<ByteString>> {
    let bad = |what: &str| Status::data_loss(format!("a string tensor has {what}"));
    let mut rest = &bytes[..];
    let mut lengths = CountedVec::new();
    let mut crc = 0;
    // Each length takes a byte at least, so a forged count runs out of bytes first.
    for _ in 0..count {
        let length = read_varint(&mut rest).ok_or_else(|| bad("too few lengths"))?;
        crc = extend_by_length(crc, length);
        lengths.push(usize::try_from(length).map_err(|_| bad("an impossible length"))?)?;
    }
    let (of_lengths, tail) = rest.split_at_checked(4).ok_or_else(|| bad("no checksum"))?;
    let sum = u32::from_le_bytes([of_lengths[0], of_lengths[1], of_lengths[2], of_lengths[3]]);
    if unmask(sum) != crc {
        return Err(bad("a wrong checksum of its lengths"));
    }
    crc = crc32c::crc32c_append(crc, of_lengths);
    let mut at = bytes.len() - tail.len();
    let mut values = CountedVec::with_capacity(lengths.len())?;
    for &length in lengths.iter() {
        let end = at.checked_add(length).filter(|e| *e <= bytes.len());
        let end = end.ok_or_else(|| bad("fewer bytes than its lengths say"))?;
        values.push(bytes.slice(at..end))?;
        crc = crc32c::crc32c_append(crc, &bytes[at..end]);
        at = end;
    }
    if unmask(stored) != crc {
        return Err(bad("a wrong checksum"));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_and_damage_is_noticed() {
        let long = ByteString::from_vec(vec![0u8; 300]).unwrap();
        let values: Vec<ByteString> = vec!["".into(), "abc".into(), long];
        let (mut bytes, crc) = encode(&values);
        values.iter().for_each(|value| bytes.extend_from_slice(value));
        let bytes = ByteString::from_vec(bytes).unwrap();
        assert_eq!(&*decode(&bytes, 3, mask(crc)).unwrap(), &*values);
        assert!(decode(&bytes, 4, mask(crc)).is_err());
        let mut damaged = bytes.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(decode(&ByteString::from_vec(damaged).unwrap(), 3, mask(crc)).is_err());
    }
}
