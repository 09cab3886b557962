//! The values of a feature.

use super::cursor::Cursor;

/// The tag of a value that is a string, or of many numbers in one.
const STRING: u8 = 1 << 3 | 2;
/// The tag of a single float.
const FLOAT: u8 = 1 << 3 | 5;
/// The tag of a single integer.
const INTEGER: u8 = 1 << 3;

/// The kind of a feature's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A BytesList.
    Bytes,
    /// A FloatList.
    Float,
    /// An Int64List.
    Int64,
}

/// The values of a feature before they are looked at.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    kind: Kind,
    /// From the list's length on.
    bytes: &'a [u8],
}

/// The values of a FloatList.
#[derive(Clone, Copy, Debug)]
pub struct Floats<'a> {
    /// One value after the other, or each with a tag.
    bytes: &'a [u8],
    is_packed: bool,
    /// How many values there are said to be.
    count: usize,
    /// Whether nothing follows and nothing is missing.
    is_exact: bool,
}

impl<'a> List<'a> {
    /// Finds the list in a feature: `None` if the feature is empty.
    #[inline]
    pub fn of_feature(feature: &'a [u8]) -> Result<Option<List<'a>>, &'static str> {
        let Some((&tag, bytes)) = feature.split_first() else { return Ok(None) };
        let kind = match tag {
            0x0a => Kind::Bytes,
            0x12 => Kind::Float,
            0x1a => Kind::Int64,
            _ => return Err("Unsupported datatype."),
        };
        Ok(Some(List { kind, bytes }))
    }

    /// Returns the kind of its values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns whether the feature ends where its list ends.
    pub fn is_all(&self) -> bool {
        let mut cursor = Cursor::new(self.bytes);
        cursor.length().is_some_and(|length| length == cursor.rest().len())
    }

    /// Calls `visit` with each string. Returns `None` if the list is damaged or `visit` says so.
    #[inline]
    pub fn for_each_string(&self, mut visit: impl FnMut(&'a [u8]) -> Option<()>) -> Option<()> {
        let mut list = Cursor::new(self.bytes).message()?;
        while !list.is_empty() {
            if !list.take_tag(STRING) {
                return None;
            }
            visit(list.string()?)?;
        }
        Some(())
    }

    /// Returns an upper bound on the number of integers, which is exact if they lie packed.
    pub fn most_integers(&self) -> usize {
        self.bytes.iter().filter(|&&byte| byte < 0x80).count()
    }

    /// Calls `visit` with each integer. Returns `None` if the list is damaged; otherwise whether nothing is behind them.
    #[inline]
    pub fn for_each_integer(&self, mut visit: impl FnMut(i64)) -> Option<bool> {
        let mut list = Cursor::new(self.bytes).message()?;
        if list.take_tag(STRING) {
            let mut packed = list.message()?;
            while !packed.is_empty() {
                visit(packed.varint()? as i64);
            }
            return Some(list.is_empty());
        }
        while !list.is_empty() {
            if !list.take_tag(INTEGER) {
                return None;
            }
            visit(list.varint()? as i64);
        }
        Some(true)
    }

    /// Finds the floats. Returns `None` if the list is damaged.
    #[inline]
    pub fn floats(&self) -> Option<Floats<'a>> {
        let mut list = Cursor::new(self.bytes).message()?;
        if list.take_tag(STRING) {
            let length = list.length()?;
            let bytes = list.rest();
            let is_exact = length == bytes.len() && length.is_multiple_of(4);
            return Some(Floats { bytes, is_packed: true, count: length / 4, is_exact });
        }
        let bytes = list.rest();
        let (each, rest) = bytes.as_chunks::<5>();
        if !rest.is_empty() || each.iter().any(|value| value[0] != FLOAT) {
            return None;
        }
        Some(Floats { bytes, is_packed: false, count: each.len(), is_exact: true })
    }
}

impl Floats<'_> {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether the list is as long as it says and nothing follows.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns whether the first `count` of them are there.
    pub fn has(&self, count: usize) -> bool {
        self.bytes.len() / (if self.is_packed { 4 } else { 5 }) >= count
    }

    /// Copies as many as fit. Returns `None` if some of these are missing.
    #[inline]
    pub fn copy_to(&self, out: &mut [f32]) -> Option<()> {
        let count = self.count.min(out.len());
        if !self.has(count) {
            return None;
        }
        let out = &mut out[..count];
        if self.is_packed {
            let values = self.bytes.as_chunks::<4>().0;
            out.iter_mut().zip(values).for_each(|(out, &value)| *out = f32::from_le_bytes(value));
        } else {
            let values = self.bytes.as_chunks::<5>().0;
            for (out, &[_, a, b, c, d]) in out.iter_mut().zip(values) {
                *out = f32::from_le_bytes([a, b, c, d]);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(feature: &[u8]) -> List<'_> {
        List::of_feature(feature).unwrap().unwrap()
    }

    fn integers(feature: &[u8]) -> Option<Vec<i64>> {
        let mut values = Vec::new();
        list(feature).for_each_integer(|value| values.push(value))?;
        Some(values)
    }

    fn floats(feature: &[u8], room: usize) -> Option<(usize, Vec<f32>)> {
        let floats = list(feature).floats()?;
        let mut values = vec![-1.0; room];
        floats.copy_to(&mut values)?;
        Some((floats.len(), values))
    }

    #[test]
    fn numbers_are_packed_or_not() {
        assert_eq!(integers(b"\x1a\x04\x0a\x02\x05\x06"), Some(vec![5, 6]));
        assert_eq!(integers(b"\x1a\x04\x08\x05\x08\x06"), Some(vec![5, 6]));
        assert_eq!(integers(b"\x1a\x00"), Some(vec![]));
        assert_eq!(integers(b"\x1a\x02\x12\x00"), None);
        assert_eq!(integers(b"\x1a\x03\x0a\x01\x80"), None);
        let packed = b"\x12\x0a\x0a\x08\0\0\x80\x3f\0\0\0\x40";
        assert_eq!(floats(packed, 2), Some((2, vec![1.0, 2.0])));
        assert_eq!(floats(packed, 1), Some((2, vec![1.0])));
        assert_eq!(floats(packed, 3), Some((2, vec![1.0, 2.0, -1.0])));
        assert_eq!(floats(b"\x12\x05\x0d\0\0\x80\x3f", 1), Some((1, vec![1.0])));
        assert_eq!(floats(b"\x12\x04\x0d\0\0\x80", 1), None);
        assert_eq!(floats(b"\x12\x05\x0a\x08\0\0\x80", 1), None, "it says more than there is");
    }

    #[test]
    fn strings_are_slices_of_the_message() {
        let mut strings = Vec::new();
        let visit = |s: &[u8]| {
            strings.push(s.to_vec());
            Some(())
        };
        list(b"\x0a\x06\x0a\x02ab\x0a\x00").for_each_string(visit).unwrap();
        assert_eq!(strings, [b"ab".to_vec(), vec![]]);
        assert!(list(b"\x0a\x03\x0a\x02a").for_each_string(|_| Some(())).is_none());
    }

    #[test]
    fn features_say_their_kind() {
        assert!(List::of_feature(b"").unwrap().is_none());
        assert_eq!(list(b"\x12\x00").kind(), Kind::Float);
        assert!(List::of_feature(b"\x22\x00").is_err());
        assert!(list(b"\x1a\x01x").is_all() && !list(b"\x1a\x01xy").is_all());
    }
}
