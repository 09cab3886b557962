//! Strings.

mod base64;
mod case;
mod elements;
mod hash_bucket;
mod join;
mod length;
mod numbers;
mod regex;
mod strip;
mod substr;
mod to_number;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    base64::register(registry)?;
    case::register(registry)?;
    hash_bucket::register(registry)?;
    join::register(registry)?;
    length::register(registry)?;
    regex::register(registry)?;
    strip::register(registry)?;
    substr::register(registry)?;
    to_number::register(registry)
}
