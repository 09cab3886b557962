//! Any bytes as a compressed tensor: a tensor within the bound, or an error; what was decoded survives being sent again.

use downpour_compress::{Encoded, Lossless, decode, decode_within, encode_lossless};

const LIMIT: usize = 1 << 20;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Ok(encoded) = Encoded::parse(data.to_vec().into()) else { return };
    assert_eq!(encoded.to_bytes(), data);
    let Ok(tensor) = decode_within(&encoded, LIMIT) else { return };
    assert!(tensor.byte_len() <= LIMIT && tensor.shape() == encoded.shape());
    let again = encode_lossless(&tensor, Lossless::Lz4).expect("decoded tensors are plain");
    let back = decode(&again).expect("what we wrote we can read");
    assert_eq!(back.bytes(), tensor.bytes());
}
