//! Sounds: WAV files of 16 bits a sample.

mod decode;
mod encode;
pub(crate) mod wav;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    decode::register(registry)?;
    encode::register(registry)
}
