//! Any bytes as a JPEG file, decoded in several ways.

use downpour_images::Serial;
use downpour_images::jpeg::{Options, Window, decode, shape};

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    downpour_tensor::set_memory_limit(64 << 20);
    let _ = shape(data);
    let choice = data.last().copied().unwrap_or(0) as usize;
    let ratio = 1 << (choice % 4);
    let plain = Options { ratio, accurate: choice & 4 != 0, ..Options::default() };
    let _ = decode(data, &plain, &Serial, &|| Ok(()));
    let recovered = Options {
        channels: [0, 1, 3][choice % 3],
        fancy_upscaling: choice & 8 == 0,
        try_recover_truncated: true,
        acceptable_fraction: 0.1,
        ..plain.clone()
    };
    let _ = decode(data, &recovered, &Serial, &|| Ok(()));
    let window = Window { top: choice as i32 % 7, left: choice as i32 % 11, height: 3, width: 5 };
    let cut = Options { window: Some(window), ..recovered };
    let _ = decode(data, &cut, &Serial, &|| Ok(()));
}
