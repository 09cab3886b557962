//! Any bytes as a BMP file.

use downpour_images::bmp::decode;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    for channels in [0, 3, 4] {
        let _ = decode(data, channels);
    }
}
