//! What operations on each string of a tensor share.

use downpour_runtime::OpContext;
use downpour_tensor::{ByteString, Element, Result, Tensor};

/// Sets output 0 to a string for each string of input 0.
pub(super) fn to_strings(
    cx: &mut OpContext<'_>,
    convert: impl Fn(&ByteString) -> Result<ByteString>,
) -> Result<()> {
    let texts = cx.input(0).strings()?;
    let out = Tensor::build_strings(cx.input(0).shape(), |i| convert(&texts[i]))?;
    cx.set_output(0, out);
    Ok(())
}

/// Sets output 0 to a number for each string of input 0.
pub(super) fn to_numbers<T: Element>(
    cx: &mut OpContext<'_>,
    convert: impl Fn(&ByteString) -> Result<T>,
) -> Result<()> {
    let converted = cx.input(0).strings()?.iter().map(convert).collect::<Result<Vec<T>>>()?;
    let out = Tensor::from_vec(cx.input(0).shape(), converted)?;
    cx.set_output(0, out);
    Ok(())
}

/// Whether a byte continues a UTF-8 character.
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
