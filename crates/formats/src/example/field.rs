//! Fields of a message as protobuf reads them.

use super::cursor::Cursor;

/// The value of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// An integer of variable length.
    Varint(u64),
    /// Four bytes.
    Fixed32([u8; 4]),
    /// Eight bytes, which no Example has.
    Fixed64,
    /// A string or a message.
    Bytes(&'a [u8]),
}

/// Takes a varint of up to ten bytes from the front; `None` if it does not end.
#[inline]
pub fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut cursor = Cursor::new(rest);
    let value = cursor.varint();
    *rest = cursor.rest();
    value
}

/// Takes the next field of a message with its number from the front. Returns what is wrong with it, if anything;
/// `None` at the end of the message.
#[inline]
pub fn field<'a>(rest: &mut &'a [u8]) -> Result<Option<(u64, Field<'a>)>, &'static str> {
    if rest.is_empty() {
        return Ok(None);
    }
    let short = "it ends within a field";
    let tag = varint(rest).ok_or(short)?;
    let value = match tag & 7 {
        0 => Field::Varint(varint(rest).ok_or(short)?),
        1 => {
            *rest = rest.get(8..).ok_or(short)?;
            Field::Fixed64
        }
        2 => {
            let length = varint(rest).ok_or(short)?;
            let length = usize::try_from(length).ok().filter(|&l| l <= rest.len());
            let (bytes, later) = rest.split_at(length.ok_or(short)?);
            *rest = later;
            Field::Bytes(bytes)
        }
        5 => {
            let (bytes, later) = rest.split_first_chunk::<4>().ok_or(short)?;
            *rest = later;
            Field::Fixed32(*bytes)
        }
        _ => return Err("it has a field of an unknown kind"),
    };
    Ok(Some((tag >> 3, value)))
}
