//! Any bytes as a checkpoint's index: entries, or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = downpour_formats::read_table(data);
});
