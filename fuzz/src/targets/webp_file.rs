//! Any bytes as a WebP file.

use downpour_images::webp::decode;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    let _ = decode(data, 0, true, &|| Ok(()));
    let _ = decode(data, 3, false, &|| Ok(()));
}
