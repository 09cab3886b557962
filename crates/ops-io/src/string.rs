//! Strings.

mod as_string;
pub(crate) mod base64;
mod case;
mod csv;
mod decode_compressed;
mod decode_raw;
mod elements;
mod fingerprint;
mod format;
mod hash_bucket;
mod join;
mod length;
mod ngrams;
mod printf;
mod reduce_join;
mod regex;
mod segment_join;
mod serialize;
mod split;
mod strip;
mod substr;
mod summarize;
mod to_number;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    as_string::register(registry)?;
    base64::register(registry)?;
    case::register(registry)?;
    csv::register(registry)?;
    decode_compressed::register(registry)?;
    decode_raw::register(registry)?;
    fingerprint::register(registry)?;
    format::register(registry)?;
    hash_bucket::register(registry)?;
    join::register(registry)?;
    length::register(registry)?;
    ngrams::register(registry)?;
    reduce_join::register(registry)?;
    regex::register(registry)?;
    segment_join::register(registry)?;
    serialize::register(registry)?;
    split::register(registry)?;
    strip::register(registry)?;
    substr::register(registry)?;
    to_number::register(registry)
}
