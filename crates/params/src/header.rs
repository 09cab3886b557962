//! The header of a message: a length of four bytes, least first, and as many bytes.

use std::io;

use prost::Message;
use prost::encoding::{DecodeContext, WireType, decode_key, skip_field};
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest header of a side that has not said yet who it is.
pub const MAX_HELLO: usize = 4 << 10;
/// The first bytes of a header that are made room for before they have come.
const FIRST: usize = 4 << 10;
/// The room that is kept for the next header.
const KEPT: usize = 64 << 10;
/// Parts of a message that a header of any length may have, and the fewest bytes of each further one. A part of two bytes
/// takes two hundred when it is decoded. Who has so many variables gives them names of more than a letter.
const FREE_PARTS: usize = 1 << 14;
const PART_BYTES: usize = 24;

/// Reads a header of at most `longest` bytes; an error ends the connection. `buffer` is used anew with every call.
pub async fn read_header<M: Message + Default>(
    stream: &mut (impl AsyncRead + Unpin),
    buffer: &mut Vec<u8>,
    longest: usize,
) -> io::Result<M> {
    let length = stream.read_u32_le().await? as usize;
    if length > longest {
        return Err(broken(&format!(
            "a header of {length} bytes, and {longest} are allowed at this point"
        )));
    }
    buffer.clear();
    // Room grows with what comes, not with what was announced.
    while buffer.len() < length {
        let from = buffer.len();
        buffer.resize(length.min((2 * from).max(FIRST)), 0);
        stream.read_exact(&mut buffer[from..]).await?;
    }
    if parts(buffer) > FREE_PARTS + length / PART_BYTES {
        return Err(broken("a header of too many empty parts"));
    }
    let header = M::decode(&buffer[..]).map_err(|_| broken("a header that cannot be read"))?;
    buffer.clear();
    buffer.shrink_to(KEPT);
    Ok(header)
}

/// How many messages and strings stand directly in a message; as far as it can be read.
fn parts(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while !bytes.is_empty() {
        let Ok((tag, wire_type)) = decode_key(&mut bytes) else { break };
        count += (wire_type == WireType::LengthDelimited) as usize;
        if skip_field(wire_type, tag, &mut bytes, DecodeContext::default()).is_err() {
            break;
        }
    }
    count
}

pub(crate) fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it sent {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Request, TensorHead};

    async fn read(bytes: &[u8], longest: usize) -> (io::Result<Request>, Vec<u8>) {
        let mut buffer = Vec::new();
        (read_header(&mut &bytes[..], &mut buffer, longest).await, buffer)
    }

    fn sent(header: &[u8]) -> Vec<u8> {
        [&(header.len() as u32).to_le_bytes()[..], header].concat()
    }

    #[tokio::test]
    async fn room_grows_with_what_comes() {
        let announced = (16u32 << 20).to_le_bytes();
        let (refused, buffer) = read(&announced, 64 << 20).await;
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert!(buffer.capacity() <= 2 * FIRST, "{}", buffer.capacity());
        let (refused, _) = read(&announced, MAX_HELLO).await;
        assert!(refused.unwrap_err().to_string().contains("4096 are allowed"));
    }

    #[tokio::test]
    async fn a_long_header_is_read_and_its_room_given_back() {
        let name = "n".repeat(300_000);
        let tensors = vec![TensorHead { name, ..Default::default() }; 3];
        let request = Request { tensors, ..Default::default() };
        let (read, buffer) = read(&sent(&request.encode_to_vec()), 64 << 20).await;
        assert_eq!(read.unwrap(), request);
        assert!(buffer.capacity() <= KEPT);
    }

    #[tokio::test]
    async fn empty_parts_are_not_multiplied() {
        let tensors = vec![TensorHead::default(); 100_000];
        let request = Request { tensors, ..Default::default() };
        let (refused, _) = read(&sent(&request.encode_to_vec()), 64 << 20).await;
        assert!(refused.unwrap_err().to_string().contains("empty parts"));
    }

    #[tokio::test]
    async fn there_may_be_as_many_tensors_as_have_names() {
        let head = |i| TensorHead {
            name: format!("dense_{i}/kernel"),
            dtype: 1,
            length: 4,
            ..Default::default()
        };
        let request = Request { tensors: (0..50_000).map(head).collect(), ..Default::default() };
        let (read, _) = read(&sent(&request.encode_to_vec()), 64 << 20).await;
        assert_eq!(read.unwrap(), request);
    }
}
