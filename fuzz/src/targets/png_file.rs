//! Any bytes as a PNG file.

use downpour_images::png::decode;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    for (channels, wide) in [(0, false), (1, true), (4, true)] {
        let _ = decode(data, channels, wide, &|| Ok(()));
    }
}
