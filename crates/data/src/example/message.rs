//! The wire format of Examples, read without making messages of them.
//!
//! Example { features = 1: Features { feature = 1, repeated: { key = 1, value = 2: Feature } } };
//! Feature { bytes_list = 1 | float_list = 2 | int64_list = 3: each { value = 1, repeated } }.

use downpour_tensor::{Result, Status};

/// One field of a message.
pub(super) enum Value<'a> {
    Varint(u64),
    Fixed32([u8; 4]),
    Fixed64,
    Bytes(&'a [u8]),
}

pub(super) fn damaged(what: &str) -> Status {
    Status::invalid_argument(format!(
        "Could not parse example input: {what}; is it a serialised tf.Example?"
    ))
}

/// A varint of up to ten bytes.
#[inline]
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let (&first, mut tail) = rest.split_first()?;
    if first < 0x80 {
        *rest = tail;
        return Some(u64::from(first));
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..70).step_by(7) {
        let (&byte, later) = tail.split_first()?;
        tail = later;
        // The tenth byte has one useful bit; others fall off, as in every protobuf reader.
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            *rest = tail;
            return Some(value);
        }
    }
    None
}

/// The next field of a message; `None` at its end.
#[inline]
pub(super) fn field<'a>(rest: &mut &'a [u8]) -> Result<Option<(u64, Value<'a>)>> {
    if rest.is_empty() {
        return Ok(None);
    }
    let short = || damaged("it ends within a field");
    let tag = varint(rest).ok_or_else(short)?;
    let value = match tag & 7 {
        0 => Value::Varint(varint(rest).ok_or_else(short)?),
        1 => {
            *rest = rest.get(8..).ok_or_else(short)?;
            Value::Fixed64
        }
        2 => {
            let length = varint(rest).ok_or_else(short)?;
            let length = usize::try_from(length).ok().filter(|&l| l <= rest.len());
            let (bytes, later) = rest.split_at(length.ok_or_else(short)?);
            *rest = later;
            Value::Bytes(bytes)
        }
        5 => {
            let (bytes, later) = rest.split_first_chunk::<4>().ok_or_else(short)?;
            *rest = later;
            Value::Fixed32(*bytes)
        }
        _ => return Err(damaged("it has a field of an unknown kind")),
    };
    Ok(Some((tag >> 3, value)))
}

/// Finds the named features of an Example: each one's bytes, if it is there. A name that occurs twice
/// counts the last time.
pub(super) fn find<'a>(
    example: &'a [u8],
    names: &[&str],
    found: &mut [Option<&'a [u8]>],
) -> Result<()> {
    found.fill(None);
    let mut rest = example;
    // Most files have their features in the same order in every Example.
    let mut guess = 0;
    while let Some((number, value)) = field(&mut rest)? {
        let (1, Value::Bytes(mut features)) = (number, value) else { continue };
        while let Some((number, value)) = field(&mut features)? {
            let (1, Value::Bytes(mut entry)) = (number, value) else { continue };
            let (mut key, mut feature): (&[u8], &[u8]) = (&[], &[]);
            while let Some((number, value)) = field(&mut entry)? {
                match (number, value) {
                    (1, Value::Bytes(bytes)) => key = bytes,
                    (2, Value::Bytes(bytes)) => feature = bytes,
                    _ => {}
                }
            }
            let is = |name: &&str| name.as_bytes() == key;
            let place = match names.get(guess).is_some_and(is) {
                true => Some(guess),
                false => names.iter().position(is),
            };
            if let Some(place) = place {
                found[place] = Some(feature);
                guess = place + 1;
            }
        }
    }
    Ok(())
}
