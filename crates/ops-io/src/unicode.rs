//! Text in encodings of Unicode and others: to code points, from code points, and from one to another.

mod chinese;
mod decode;
mod decoder;
mod double_byte;
mod encode;
mod encoding;
mod errors;
mod output;
mod script;
mod single_byte;
mod transcode;
mod utf;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    decode::register(registry)?;
    encode::register(registry)?;
    script::register(registry)?;
    transcode::register(registry)
}
