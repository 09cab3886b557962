//! Messages as elements of string tensors.

use downpour_tensor::{ByteString, Result, Status, StringWriter};
use prost::Message;

/// Returns the encoded message. Its length is known and counted before it is written.
pub fn encode_string(message: &impl Message) -> Result<ByteString> {
    let length = message.encoded_len();
    let mut out = StringWriter::new();
    out.fill_with(length, |mut place| {
        message.encode(&mut place).map_err(|e| Status::internal(e.to_string()))?;
        Ok::<_, Status>(length)
    })?;
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::NodeDef;

    #[test]
    fn a_message_is_written_as_prost_writes_it() {
        for name in [String::new(), "n".repeat(1000)] {
            let node = NodeDef { name, ..NodeDef::default() };
            assert_eq!(encode_string(&node).unwrap(), node.encode_to_vec());
        }
    }
}
