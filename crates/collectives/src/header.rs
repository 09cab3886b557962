//! What stands before each message: its tag and its length.

use downpour_tensor::{Result, Status};

/// Bytes of a header.
pub(crate) const HEADER: usize = 16;

/// The header of a message.
pub(crate) fn header(tag: u64, length: usize) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&tag.to_le_bytes());
    bytes[8..].copy_from_slice(&(length as u64).to_le_bytes());
    bytes
}

/// Fails if a message is not the one expected.
pub(crate) fn check_header(
    bytes: [u8; HEADER],
    tag: u64,
    length: usize,
    peer: impl FnOnce() -> String,
) -> Result<()> {
    if bytes == header(tag, length) {
        return Ok(());
    }
    let number = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(word)
    };
    Err(Status::internal(format!(
        "{} sent {} bytes tagged {:#x} where {length} bytes tagged {tag:#x} were expected: the ranks of a \
         group must run the same operations, on tensors of the same size, in the same order",
        peer(),
        number(8),
        number(0),
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_message_is_told() {
        let peer = || "rank 1".to_string();
        assert!(check_header(header(7, 40), 7, 40, peer).is_ok());
        let error = check_header(header(7, 80), 7, 40, peer).unwrap_err();
        assert!(error.message().starts_with("rank 1 sent 80 bytes"), "{error}");
        assert!(check_header(header(8, 40), 7, 40, peer).is_err());
    }
}
