//! Finds the characters of a text, one after the other.

use downpour_tensor::Result;

use super::double_byte::DoubleByte;
use super::single_byte::Table;
use super::utf::{self, ByteOrder};

/// Takes the next character, or `None` for what is none, and how many bytes it took.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Option<u32>, usize) -> Result<()>;

/// How bytes become characters.
pub(super) enum Decoder {
    Utf8,
    /// With the byte order; without one a mark at the beginning says it.
    Utf16(Option<ByteOrder>),
    Utf32(Option<ByteOrder>),
    Table(Box<Table>),
    DoubleByte(DoubleByte),
}

impl Decoder {
    /// Calls `visit` for each character of the text. `order` is what the texts before it left behind, if their encoding
    /// is one in which a mark says the byte order; it starts as `None`.
    pub fn decode(
        &self,
        order: &mut Option<ByteOrder>,
        text: &[u8],
        visit: Visit<'_>,
    ) -> Result<()> {
        match self {
            Decoder::Utf8 => utf::utf8(text, visit),
            Decoder::Utf16(None) => utf::marked::<2>(text, order, visit),
            Decoder::Utf32(None) => utf::marked::<4>(text, order, visit),
            Decoder::Utf16(Some(order)) => utf::wide::<2>(text, *order, visit).map(drop),
            Decoder::Utf32(Some(order)) => utf::wide::<4>(text, *order, visit).map(drop),
            Decoder::Table(table) => {
                text.iter().try_for_each(|&byte| visit(table.character(byte), 1))
            }
            Decoder::DoubleByte(decoder) => decoder.decode(text, visit),
        }
    }
}
