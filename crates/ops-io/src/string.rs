//! Strings.

mod as_string;
mod base64;
mod case;
mod elements;
mod hash_bucket;
mod join;
mod length;
mod numbers;
mod printf;
mod regex;
mod split;
mod strip;
mod substr;
mod to_number;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    as_string::register(registry)?;
    base64::register(registry)?;
    case::register(registry)?;
    hash_bucket::register(registry)?;
    join::register(registry)?;
    length::register(registry)?;
    regex::register(registry)?;
    split::register(registry)?;
    strip::register(registry)?;
    substr::register(registry)?;
    to_number::register(registry)
}
