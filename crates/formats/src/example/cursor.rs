//! The rest of a message while it is read.

/// The bytes of a message that have not been read yet.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    /// Starts at the first of these bytes.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor(bytes)
    }

    /// Returns what has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// Returns whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a varint of up to ten bytes.
    #[inline]
    pub fn varint(&mut self) -> Option<u64> {
        let (&first, mut tail) = self.0.split_first()?;
        if first < 0x80 {
            self.0 = tail;
            return Some(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        for shift in (7..70).step_by(7) {
            let (&byte, later) = tail.split_first()?;
            tail = later;
            // The tenth byte has one useful bit; others fall off, as in every protobuf reader.
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                self.0 = tail;
                return Some(value);
            }
        }
        None
    }

    /// Reads the length of a string or message, of which TensorFlow's parser looks at 32 bits.
    #[inline]
    pub fn length(&mut self) -> Option<usize> {
        Some(self.varint()? as u32 as usize)
    }

    /// Reads this one-byte tag, if it is what comes next.
    #[inline]
    pub fn take_tag(&mut self, tag: u8) -> bool {
        let found = self.0.first() == Some(&tag);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    /// Reads a string with its length.
    #[inline]
    pub fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Reads a message with its length. It ends with what holds it if the length says more.
    #[inline]
    pub fn message(&mut self) -> Option<Cursor<'a>> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        Some(Cursor(bytes))
    }

    /// Reads past a field that is not known.
    pub fn skip_field(&mut self) -> Option<()> {
        let fixed = match self.varint()? & 7 {
            0 => return self.varint().map(drop),
            1 => 8,
            2 => {
                let length = self.length()?;
                // A length of more than 31 bits is negative to TensorFlow's parser, which then skips nothing.
                if i32::try_from(length).is_ok() {
                    self.0 = &self.0[length.min(self.0.len())..];
                }
                return Some(());
            }
            5 => 4,
            _ => return None,
        };
        self.0 = self.0.get(fixed..)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_beyond_the_end_are_cut_for_messages_and_refused_for_strings() {
        let mut cursor = Cursor::new(&[5, 1, 2]);
        assert_eq!(cursor.message().map(|m| m.rest()), Some(&[1, 2][..]));
        assert!(cursor.is_empty());
        assert_eq!(Cursor::new(&[5, 1, 2]).string(), None);
        assert_eq!(Cursor::new(&[0x80]).message().map(|m| m.rest()), None);
    }

    #[test]
    fn varints_have_at_most_ten_bytes() {
        assert_eq!(Cursor::new(&[0xff; 9]).varint(), None);
        assert_eq!(Cursor::new(&[0xff; 12]).varint(), None);
        let mut longest = [0xff; 10];
        longest[9] = 1;
        assert_eq!(Cursor::new(&longest).varint(), Some(u64::MAX));
        assert_eq!(Cursor::new(&longest).length(), Some(u32::MAX as usize));
    }
}
