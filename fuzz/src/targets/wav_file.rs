//! Any bytes as a WAV file.

use downpour_ops_io::wav::check;

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let _ = check(data);
}
