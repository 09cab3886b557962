//! EncodeBase64 and DecodeBase64, with the alphabet for web addresses.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{ByteString, Result, Status, StringWriter};

use super::elements::to_strings;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "EncodeBase64(input: string) -> (output: string)
                pad: bool = false",
        )?
        .shape(shapes::unchanged)
        .not_differentiable(),
        |build| Ok(KernelBox::new(Encode { pad: build.bool("pad")? })),
    )?;
    registry.add(
        OpSpec::new("DecodeBase64(input: string) -> (output: string)")?
            .shape(shapes::unchanged)
            .not_differentiable(),
        |_| Ok(KernelBox::function(|cx| to_strings(cx, |text| decode(text)))),
    )
}

struct Encode {
    pad: bool,
}

impl Kernel for Encode {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        to_strings(cx, |bytes| encode(bytes, self.pad))
    }
}

fn encode(bytes: &[u8], pad: bool) -> Result<ByteString> {
    let mut out = StringWriter::with_capacity(bytes.len().div_ceil(3).saturating_mul(4))?;
    for group in bytes.chunks(3) {
        let byte = |i: usize| group.get(i).map_or(0, |&b| b as usize);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..=group.len() {
            out.push(&[ALPHABET[bits >> (18 - 6 * digit) & 63]])?;
        }
        if pad {
            out.fill(b'=', 3 - group.len())?;
        }
    }
    Ok(out.finish())
}

/// Returns the bytes that the text stands for; padding may be left out.
pub(crate) fn decode(text: &[u8]) -> Result<ByteString> {
    // Padding counts only where it completes the last group of four.
    let padding = match text {
        [.., b'=', b'='] if text.len().is_multiple_of(4) => 2,
        [.., b'='] if text.len().is_multiple_of(4) => 1,
        _ => 0,
    };
    let digits = &text[..text.len() - padding];
    if digits.len() % 4 == 1 {
        return Err(Status::invalid_argument("Base64 string length cannot be 1 modulo 4."));
    }
    let mut out = StringWriter::with_capacity(digits.len() / 4 * 3 + 2)?;
    for group in digits.chunks(4) {
        let mut bits = 0;
        for i in 0..4 {
            let value = match group.get(i) {
                None => 0,
                Some(b @ b'A'..=b'Z') => b - b'A',
                Some(b @ b'a'..=b'z') => b - b'a' + 26,
                Some(b @ b'0'..=b'9') => b - b'0' + 52,
                Some(b'-') => 62,
                Some(b'_') => 63,
                Some(_) => {
                    return Err(Status::invalid_argument("Invalid character found in base64."));
                }
            };
            bits = bits << 6 | value as u32;
        }
        out.push(&bits.to_be_bytes()[1..group.len()])?;
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_agree_with_tensorflow() {
        assert_eq!(encode(b"a", true).unwrap(), "YQ==");
        assert_eq!(encode(b"a", false).unwrap(), "YQ");
        assert_eq!(encode(b"\xfa\xfb\xfc\xfd\xfe\xff\xfb\xff", false).unwrap(), "-vv8_f7_-_8");
        assert_eq!(decode(b"YR==").unwrap(), "a");
        assert_eq!(decode(b"YWI").unwrap(), "ab");
        for bad in ["YQ=", "Y", "YW+/", "=", "YQ==YQ==", "Y Q", "YWI==", "Y==="] {
            assert!(decode(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_can_be_decoded(bytes: Vec<u8>, pad: bool) {
            prop_assert_eq!(&decode(&encode(&bytes, pad).unwrap()).unwrap()[..], &bytes[..]);
        }
    }
}
