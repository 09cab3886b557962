//! Any bytes as a GIF file.

use downpour_images::gif::decode;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    let _ = decode(data, true, &|| Ok(()));
    let _ = decode(data, false, &|| Ok(()));
}
