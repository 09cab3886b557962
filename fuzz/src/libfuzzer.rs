//! A target under libFuzzer. Which one is chosen by the environment, so that one program has all of them: linking
//! takes most of the time to build it.
#![no_main]

use std::sync::LazyLock;

use downpour_fuzz::{Target, find};
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("DOWNPOUR_FUZZ_TARGET").expect("DOWNPOUR_FUZZ_TARGET names a target");
    find(&name).unwrap_or_else(|| panic!("there is no target '{name}'"))
});

fuzz_target!(|data: &[u8]| {
    (TARGET.run)(data);
});
