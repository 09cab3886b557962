//! CRC-32C as TensorFlow stores it: masked, so that a checksum of data with checksums stays strong.

const MASK_DELTA: u32 = 0xa282_ead8;

/// A CRC-32C as files store it: changed so that the checksum of bytes with checksums in them stays good.
pub fn mask(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(MASK_DELTA)
}

/// The CRC-32C that was stored masked.
pub fn unmask(masked: u32) -> u32 {
    masked.wrapping_sub(MASK_DELTA).rotate_left(15)
}

/// The masked checksum of some bytes.
pub fn masked_crc(bytes: &[u8]) -> u32 {
    mask(crc32c::crc32c(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masking_is_reversible_and_known() {
        assert_eq!(unmask(mask(0x1234_5678)), 0x1234_5678);
        // CRC-32C of "123456789" is a published check value.
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }
}
