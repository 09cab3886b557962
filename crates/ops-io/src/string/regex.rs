//! Regular expressions in RE2's syntax: full matches and replacements, with the pattern as an
//! attribute or as an input.

mod full_match;
mod pattern;
mod replace;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    full_match::register(registry)?;
    replace::register(registry)
}
