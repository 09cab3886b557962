//! One element of a string tensor.
//!
//! There is no way to make a `ByteString` of bytes on the heap without counting them against the memory limit: every
//! constructor charges before it allocates or copies, and the charge lives beside the bytes until the last holder
//! (clone, slice or `Bytes`) is gone. A string whose length is not known in advance is written with a `StringWriter`,
//! which charges while it grows.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Deref, RangeBounds};

use bytes::Bytes;

use crate::Result;
use crate::account::{Charge, exhausted};

/// Immutable shared bytes that count against the memory limit.
///
/// ```
/// use downpour_tensor::ByteString;
/// let name = ByteString::copy_from("rain")?;
/// assert_eq!(name, "rain");
/// assert_eq!(name.slice(1..3), "ai");
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteString(Bytes);

/// Bytes of up to this length lie in one allocation with their charge and reference count.
const SHORT: usize = 48;
/// Bytes that the allocator and the reference count take besides the contents.
const OVERHEAD: usize = 64;

struct Short {
    bytes: [u8; SHORT],
    len: usize,
    _charge: Charge,
}

struct Long<B> {
    bytes: B,
    _charge: Charge,
}

impl AsRef<[u8]> for Short {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl<B: AsRef<[u8]>> AsRef<[u8]> for Long<B> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

impl ByteString {
    /// Returns the empty string.
    pub const fn new() -> ByteString {
        ByteString(Bytes::new())
    }

    /// Returns a string of the program text, which takes no memory.
    pub const fn from_static(bytes: &'static [u8]) -> ByteString {
        ByteString(Bytes::from_static(bytes))
    }

    /// Returns a copy of these bytes.
    pub fn copy_from(bytes: impl AsRef<[u8]>) -> Result<ByteString> {
        let bytes = bytes.as_ref();
        if bytes.len() <= SHORT {
            return Ok(ByteString::short(bytes, Charge::new(SHORT + OVERHEAD)?));
        }
        let mut writer = StringWriter::with_capacity(bytes.len())?;
        writer.push(bytes)?;
        Ok(writer.finish())
    }

    /// Returns a string of these bytes, which exist already. Where their number can be great, a `StringWriter`
    /// refuses before they do.
    pub fn from_vec(bytes: impl Into<Vec<u8>>) -> Result<ByteString> {
        let mut bytes: Vec<u8> = bytes.into();
        if bytes.len() <= SHORT {
            return ByteString::copy_from(bytes);
        }
        if bytes.capacity() / 2 > bytes.len() {
            bytes.shrink_to_fit();
        }
        let charge = Charge::new(bytes.capacity().saturating_add(OVERHEAD))?;
        Ok(ByteString(Bytes::from_owner(Long { bytes, _charge: charge })))
    }

    /// Returns a string of bytes that lie in a message or a file's buffer: the same memory, counted, or a copy if they
    /// are so few that they must not keep the whole message.
    pub fn from_bytes(bytes: Bytes) -> Result<ByteString> {
        if bytes.is_empty() {
            return Ok(ByteString::new());
        }
        if bytes.len() <= SHORT {
            return ByteString::copy_from(bytes);
        }
        let charge = Charge::new(bytes.len().saturating_add(OVERHEAD))?;
        Ok(ByteString(Bytes::from_owner(Long { bytes, _charge: charge })))
    }

    /// Returns the parts one after the other with the separator between them. The length is charged before the first
    /// part is copied.
    pub fn joined<'a>(
        parts: impl Iterator<Item = &'a [u8]> + Clone,
        separator: &[u8],
    ) -> Result<ByteString> {
        let length = parts
            .clone()
            .fold(0usize, |sum, part| {
                sum.saturating_add(separator.len()).saturating_add(part.len())
            })
            .saturating_sub(separator.len());
        let mut writer = StringWriter::with_capacity(length)?;
        for (i, part) in parts.enumerate() {
            if i > 0 {
                writer.push(separator)?;
            }
            writer.push(part)?;
        }
        Ok(writer.finish())
    }

    fn short(from: &[u8], charge: Charge) -> ByteString {
        if from.is_empty() {
            return ByteString::new();
        }
        let mut bytes = [0; SHORT];
        bytes[..from.len()].copy_from_slice(from);
        ByteString(Bytes::from_owner(Short { bytes, len: from.len(), _charge: charge }))
    }

    /// Returns a part of the string that shares its memory. Panics if the range is outside of it.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> ByteString {
        ByteString(self.0.slice(range))
    }

    /// Returns the part of the string that `part` is, sharing its memory. Panics if `part` lies elsewhere.
    pub fn slice_ref(&self, part: &[u8]) -> ByteString {
        ByteString(self.0.slice_ref(part))
    }

    /// Returns the bytes for a message; they count as long as it holds them.
    pub fn to_bytes(&self) -> Bytes {
        self.0.clone()
    }
}

/// The bytes of a string while it is written. Memory is charged before it is taken, so that a string which grows
/// beyond the limit is refused and its bytes are given back.
#[derive(Default)]
pub struct StringWriter {
    bytes: Vec<u8>,
    charge: Charge,
}

impl StringWriter {
    /// Starts an empty string.
    pub fn new() -> StringWriter {
        StringWriter::default()
    }

    /// Starts a string of about this length.
    pub fn with_capacity(bytes: usize) -> Result<StringWriter> {
        let mut writer = StringWriter::new();
        writer.reserve(bytes)?;
        Ok(writer)
    }

    /// Makes room for `more` bytes.
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        let needed = self.bytes.len().saturating_add(more);
        if needed <= self.bytes.capacity() {
            return Ok(());
        }
        // Exactly what the first writer asks for, later twice as much as there was; near the limit by less, in halves,
        // so that a string can fill what is left in few steps.
        let mut capacity = needed.max(self.bytes.capacity().saturating_mul(2));
        while let Err(refused) = self.charge_up_to(capacity) {
            if capacity == needed {
                return Err(refused);
            }
            capacity = needed + (capacity - needed) / 2;
        }
        self.bytes
            .try_reserve_exact(capacity - self.bytes.len())
            .map_err(|_| exhausted(capacity, "the system has no memory left"))
    }

    fn charge_up_to(&mut self, capacity: usize) -> Result<()> {
        let wanted = capacity.saturating_add(OVERHEAD);
        self.charge.grow(wanted.saturating_sub(self.charge.bytes()))
    }

    /// Appends bytes.
    pub fn push(&mut self, part: &[u8]) -> Result<()> {
        self.reserve(part.len())?;
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    /// Appends `count` times the same byte.
    pub fn fill(&mut self, byte: u8, count: usize) -> Result<()> {
        self.reserve(count)?;
        self.bytes.resize(self.bytes.len() + count, byte);
        Ok(())
    }

    /// Appends up to `most` bytes that `write` puts into a buffer of zeros; it returns how many it put there.
    pub fn fill_with<E: From<crate::Status>>(
        &mut self,
        most: usize,
        write: impl FnOnce(&mut [u8]) -> Result<usize, E>,
    ) -> Result<usize, E> {
        let before = self.bytes.len();
        self.fill(0, most)?;
        let written = write(&mut self.bytes[before..]);
        self.bytes.truncate(before + written.as_ref().map_or(0, |&n| n.min(most)));
        written
    }

    /// Appends what one call of `read` gives, at most `most` bytes, and returns how many they were. When the string is
    /// as long as it was expected to be, the end is looked for without asking for more memory.
    pub fn read_more(
        &mut self,
        most: usize,
        read: &mut dyn FnMut(&mut [u8]) -> Result<usize>,
    ) -> Result<usize> {
        let room = self.bytes.capacity() - self.bytes.len();
        if room > 0 {
            return self.fill_with(room.min(most), read);
        }
        let mut beyond = [0; 4096];
        let limit = most.min(beyond.len());
        let count = read(&mut beyond[..limit])?.min(limit);
        self.push(&beyond[..count])?;
        Ok(count)
    }

    /// Returns how many bytes were written.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the string.
    pub fn finish(mut self) -> ByteString {
        if self.bytes.len() <= SHORT {
            return ByteString::short(&self.bytes, Charge::unrefused(SHORT + OVERHEAD));
        }
        if self.bytes.capacity() / 2 > self.bytes.len() {
            self.bytes.shrink_to_fit();
        }
        self.charge.shrink_to(self.bytes.capacity().saturating_add(OVERHEAD));
        ByteString(Bytes::from_owner(Long { bytes: self.bytes, _charge: self.charge }))
    }
}

impl Deref for StringWriter {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Deref for ByteString {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for ByteString {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Borrow<[u8]> for ByteString {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<&'static str> for ByteString {
    fn from(text: &'static str) -> ByteString {
        ByteString::from_static(text.as_bytes())
    }
}

impl From<&'static [u8]> for ByteString {
    fn from(bytes: &'static [u8]) -> ByteString {
        ByteString::from_static(bytes)
    }
}

impl<const N: usize> From<&'static [u8; N]> for ByteString {
    fn from(bytes: &'static [u8; N]) -> ByteString {
        ByteString::from_static(bytes)
    }
}

impl From<ByteString> for Bytes {
    fn from(string: ByteString) -> Bytes {
        string.0
    }
}

macro_rules! equal_to_bytes {
    ($($other:ty),*) => {$(
        impl PartialEq<$other> for ByteString {
            fn eq(&self, other: &$other) -> bool {
                let other: &[u8] = other.as_ref();
                **self == *other
            }
        }
    )*};
}
equal_to_bytes!(str, &str, String, [u8], &[u8], Vec<u8>, Bytes);

impl<const N: usize> PartialEq<&[u8; N]> for ByteString {
    fn eq(&self, other: &&[u8; N]) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long enough for its charge to be booked at once.
    const LONG: usize = 1 << 20;

    #[test]
    fn every_way_to_make_a_string_keeps_its_bytes() {
        for len in [0, 1, SHORT, SHORT + 1, 5000] {
            let bytes: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut writer = StringWriter::new();
            bytes.iter().for_each(|&b| writer.push(&[b]).unwrap());
            for string in [
                ByteString::copy_from(&bytes).unwrap(),
                ByteString::from_vec(bytes.clone()).unwrap(),
                ByteString::from_bytes(bytes.clone().into()).unwrap(),
                writer.finish(),
            ] {
                assert_eq!(string, bytes);
                assert_eq!(string.to_bytes(), bytes);
                assert_eq!(string.slice(..len / 2), bytes[..len / 2]);
            }
        }
    }

    #[test]
    fn a_length_beyond_the_limit_is_refused_before_memory_is_touched() {
        for length in [crate::memory_limit() + 1, usize::MAX] {
            let refused = StringWriter::with_capacity(length).err().unwrap();
            assert_eq!(refused.code(), crate::Code::ResourceExhausted);
            let mut started = StringWriter::new();
            started.push(b"abc").unwrap();
            assert!(started.fill(b'x', length).is_err());
            assert_eq!(&*started, b"abc");
        }
    }

    #[test]
    fn a_charge_lives_as_long_as_the_last_holder() {
        // Other tests charge and discharge meanwhile, but none of them as much.
        let big = 1 << 30;
        let charge = Charge::new(big).unwrap();
        assert!(crate::account::in_use() >= big);
        let string = ByteString(Bytes::from_owner(Long { bytes: vec![7; LONG], _charge: charge }));
        let part = string.slice(..1);
        let message = part.to_bytes();
        drop((string, part));
        assert!(crate::account::in_use() >= big);
        drop(message);
        assert!(crate::account::in_use() < big);
    }

    #[test]
    fn a_writer_charges_what_it_holds() {
        let mut writer = StringWriter::new();
        for _ in 0..1000 {
            writer.push(&[1; 1000]).unwrap();
            assert!(writer.charge.bytes() >= writer.bytes.capacity());
        }
        assert!(writer.charge.bytes() <= 3_000_000);
        let copied: Result<usize> = writer.fill_with(10, |out| {
            out[0] = 9;
            Ok(1)
        });
        assert_eq!(copied.unwrap(), 1);
        assert_eq!(writer.finish()[1_000_000..], [9]);
    }

    #[test]
    fn parts_are_joined() {
        let joined = |parts: &[&str]| {
            ByteString::joined(parts.iter().map(|part| part.as_bytes()), b", ").unwrap()
        };
        assert_eq!(joined(&[]), "");
        assert_eq!(joined(&["a"]), "a");
        assert_eq!(joined(&["a", "", "b"]), "a, , b");
    }

    #[test]
    fn equal_bytes_are_equal_strings_and_found_in_maps() {
        let made = ByteString::copy_from("abc").unwrap();
        assert_eq!(made, ByteString::from("abc"));
        let map = std::collections::HashMap::from([(made, 1)]);
        assert_eq!(map.get(&b"abc"[..]), Some(&1));
    }
}
