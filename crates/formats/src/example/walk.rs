//! The features of an Example, one after the other.

use super::cursor::Cursor;

/// The tag of field 1 that holds a string or a message.
const FIRST: u8 = 1 << 3 | 2;
/// The tag of field 2 that holds a string or a message.
const SECOND: u8 = 2 << 3 | 2;

/// Calls `visit` with the key and the bytes of each feature of a serialised Example, in the order in which they are
/// written; of features with the same key the last one counts. Returns `None` if the bytes are no Example.
#[inline]
pub fn for_each_feature<'a>(
    example: &'a [u8],
    mut visit: impl FnMut(&'a [u8], &'a [u8]),
) -> Option<()> {
    let mut example = Cursor::new(example);
    // Examples one behind the other are one Example with the features of all, as for protobuf.
    while !example.is_empty() {
        if !example.take_tag(FIRST) {
            example.skip_field()?;
            continue;
        }
        let mut features = example.message()?;
        while !features.is_empty() {
            if !features.take_tag(FIRST) {
                return None;
            }
            let mut entry = features.message()?;
            let (mut key, mut feature): (&[u8], &[u8]) = (&[], &[]);
            for _ in 0..2 {
                match entry.varint()? as u32 {
                    tag if tag == u32::from(FIRST) => key = entry.string()?,
                    tag if tag == u32::from(SECOND) => feature = entry.string()?,
                    _ => return None,
                }
            }
            if !entry.is_empty() {
                return None;
            }
            visit(key, feature);
        }
    }
    Some(())
}

/// Calls `visit` for each context feature and each feature list of a serialised SequenceExample, with whether it is a
/// list, its key and its bytes. Returns `None` if the bytes are no SequenceExample.
pub fn for_each_entry<'a>(
    example: &'a [u8],
    mut visit: impl FnMut(bool, &'a [u8], &'a [u8]),
) -> Option<()> {
    let mut example = Cursor::new(example);
    while !example.is_empty() {
        let is_list = match example.rest()[0] {
            FIRST => false,
            SECOND => true,
            _ => {
                example.skip_field()?;
                continue;
            }
        };
        example.take_tag(example.rest()[0]);
        let mut entries = example.message()?;
        while !entries.is_empty() {
            if !entries.take_tag(FIRST) {
                return None;
            }
            let mut entry = entries.message()?;
            let key = entry.take_tag(FIRST).then(|| entry.string()).flatten()?;
            let value = entry.take_tag(SECOND).then(|| entry.string()).flatten()?;
            if !entry.is_empty() {
                return None;
            }
            visit(is_list, key, value);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(example: &[u8]) -> Option<Vec<(Vec<u8>, usize)>> {
        let mut keys = Vec::new();
        for_each_feature(example, |key, feature| keys.push((key.to_vec(), feature.len())))?;
        Some(keys)
    }

    #[test]
    fn features_come_with_key_and_value_in_any_order() {
        let example = b"\x0a\x12\x0a\x07\x0a\x01a\x12\x02\x0a\x00\x0a\x07\x12\x02\x12\x00\x0a\x01b";
        assert_eq!(keys(example), Some(vec![(b"a".to_vec(), 2), (b"b".to_vec(), 2)]));
        assert_eq!(keys(b""), Some(vec![]));
        // A field that no Example has, before it.
        let mut longer = b"\x18\x05\x22\x01x".to_vec();
        longer.extend_from_slice(example);
        assert_eq!(keys(&longer).unwrap().len(), 2);
    }

    #[test]
    fn other_bytes_are_no_example() {
        for bytes in [&b"\x0a\x03abc"[..], b"\x0a\x05\x0a\x03\x0a\x01a", b"\x0b", b"\x0a", b"x"] {
            assert_eq!(keys(bytes), None, "{bytes:?}");
        }
        let mut extra = b"\x0a\x0b\x0a\x09\x0a\x01a\x12\x02\x0a\x00\x18\x01".to_vec();
        assert_eq!(keys(&extra), None, "an entry with a third field");
        extra.truncate(11);
        assert_eq!(keys(&extra).unwrap().len(), 1, "one that is cut between fields");
    }

    #[test]
    fn entries_of_sequence_examples_say_where_they_are() {
        let example = b"\x0a\x09\x0a\x07\x0a\x01a\x12\x02\x0a\x00\x12\x07\x0a\x05\x0a\x01b\x12\x00";
        let mut entries = Vec::new();
        for_each_entry(example, |list, key, value| entries.push((list, key[0], value.len())));
        assert_eq!(entries, [(false, b'a', 2), (true, b'b', 0)]);
        assert_eq!(for_each_entry(b"\x0a\x02\x12\x00", |_, _, _| {}), None);
    }
}
