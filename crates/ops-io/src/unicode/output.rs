//! Writes characters in the encodings that operations give.

use downpour_runtime::KernelBuild;
use downpour_tensor::{Result, Status, StringWriter};

/// An encoding of texts that are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    Utf8,
    Utf16,
    Utf32,
}

impl Output {
    /// Reads the attribute `output_encoding`.
    pub fn new(build: &KernelBuild<'_>) -> Result<Output> {
        match &build.string("output_encoding")?[..] {
            "UTF-8" => Ok(Output::Utf8),
            "UTF-16-BE" => Ok(Output::Utf16),
            "UTF-32-BE" => Ok(Output::Utf32),
            other => Err(Status::invalid_argument(format!("Invalid encoding \"{other}\""))),
        }
    }

    /// Appends a code point. The second half of a pair in UTF-16, which only a replacement can be, has no form of its
    /// own in UTF-8.
    #[inline]
    pub fn push(self, text: &mut StringWriter, code_point: u32) -> Result<()> {
        match self {
            Output::Utf8 => {
                let character = char::from_u32(code_point).unwrap_or(char::REPLACEMENT_CHARACTER);
                text.push(character.encode_utf8(&mut [0; 4]).as_bytes())
            }
            Output::Utf16 => match char::from_u32(code_point) {
                Some(character) => {
                    let mut units = [0; 2];
                    let units = character.encode_utf16(&mut units).iter();
                    units.copied().try_for_each(|unit| text.push(&unit.to_be_bytes()))
                }
                None => text.push(&(code_point as u16).to_be_bytes()),
            },
            Output::Utf32 => text.push(&code_point.to_be_bytes()),
        }
    }
}
