//! The features of an Example by their names.

use downpour_formats::example::{Field, field as next_field};
use downpour_tensor::{Result, Status};

pub(super) fn damaged(what: &str) -> Status {
    Status::invalid_argument(format!(
        "Could not parse example input: {what}; is it a serialised tf.Example?"
    ))
}

/// The next field of a message; `None` at its end.
#[inline]
pub(super) fn field<'a>(rest: &mut &'a [u8]) -> Result<Option<(u64, Field<'a>)>> {
    next_field(rest).map_err(damaged)
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
        let (1, Field::Bytes(mut features)) = (number, value) else { continue };
        while let Some((number, value)) = field(&mut features)? {
            let (1, Field::Bytes(mut entry)) = (number, value) else { continue };
            let (mut key, mut feature): (&[u8], &[u8]) = (&[], &[]);
            while let Some((number, value)) = field(&mut entry)? {
                match (number, value) {
                    (1, Field::Bytes(bytes)) => key = bytes,
                    (2, Field::Bytes(bytes)) => feature = bytes,
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
