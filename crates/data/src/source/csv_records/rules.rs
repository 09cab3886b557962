//! Where records and fields end.

use downpour_tensor::{Result, Status};

/// The bytes that mean something.
pub(super) struct Rules {
    delimiter: u8,
    quotes: bool,
    /// Whether a byte ends an unquoted field or may not be in it.
    is_special: [bool; 256],
}

/// A record at the beginning of some bytes.
pub(super) struct FirstRecord {
    /// Its bytes with the end of its line.
    pub length: usize,
    /// The first thing that is wrong with it.
    pub result: Result<()>,
}

struct Field<'b> {
    text: Result<&'b [u8]>,
    /// Whether quotes are doubled in the text.
    is_escaped: bool,
    /// Where the next field or record begins.
    next: usize,
    is_last: bool,
}

impl Rules {
    pub fn new(delimiter: u8, quotes: bool) -> Rules {
        let mut is_special = [false; 256];
        for byte in [delimiter, b'\n', b'\r'] {
            is_special[usize::from(byte)] = true;
        }
        is_special[usize::from(b'"')] |= quotes;
        Rules { delimiter, quotes, is_special }
    }

    /// Splits the first record and calls `visit` with the number and the text of each field, and whether quotes are
    /// doubled in it, up to the first error. `None` if the bytes may go on (`is_all` is false) and the record with them.
    pub fn record(
        &self,
        bytes: &[u8],
        is_all: bool,
        mut visit: impl FnMut(u64, &[u8], bool) -> Result<()>,
    ) -> Option<FirstRecord> {
        let (mut at, mut number, mut result) = (0, 0, Ok(()));
        loop {
            let field = match self.quotes && bytes.get(at) == Some(&b'"') {
                true => self.quoted(bytes, at, is_all)?,
                false => self.plain(bytes, at, is_all)?,
            };
            if result.is_ok() {
                result = field.text.and_then(|text| visit(number, text, field.is_escaped));
            }
            (at, number) = (field.next, number + 1);
            if field.is_last {
                return Some(FirstRecord { length: at, result });
            }
        }
    }

    fn plain<'b>(&self, bytes: &'b [u8], start: usize, is_all: bool) -> Option<Field<'b>> {
        let mut at = start;
        let mut has_quote = false;
        loop {
            let special = bytes[at..].iter().position(|&b| self.is_special[usize::from(b)]);
            at = special.map_or(bytes.len(), |special| at + special);
            if bytes.get(at) != Some(&b'"') || self.delimiter == b'"' {
                break;
            }
            has_quote = true;
            at += 1;
        }
        let (next, is_last) = self.end(bytes, at, is_all)?;
        let text = match has_quote {
            true => Err(Status::invalid_argument("Unquoted fields cannot have quotes inside")),
            false => Ok(&bytes[start..at]),
        };
        Some(Field { text, is_escaped: false, next, is_last })
    }

    fn quoted<'b>(&self, bytes: &'b [u8], start: usize, is_all: bool) -> Option<Field<'b>> {
        let (mut is_escaped, mut is_bad) = (false, false);
        let mut at = start + 1;
        loop {
            let Some(quote) = bytes.get(at..).and_then(|rest| rest.iter().position(|&b| b == b'"'))
            else {
                let error = "Reached end of file without closing quoted field in record";
                let text = Err(Status::invalid_argument(error));
                let next = bytes.len();
                return is_all.then_some(Field { text, is_escaped, next, is_last: true });
            };
            at += quote + 1;
            match bytes.get(at) {
                Some(&byte) if byte == self.delimiter => {}
                None | Some(b'\n' | b'\r') => {}
                Some(b'"') => {
                    is_escaped = true;
                    at += 1;
                    continue;
                }
                Some(_) => {
                    is_bad = true;
                    at += 1;
                    continue;
                }
            }
            let text = match is_bad {
                true => Err(Status::invalid_argument(
                    "Quote inside a string has to be escaped by another quote",
                )),
                false => Ok(&bytes[start + 1..at - 1]),
            };
            let (next, is_last) = self.end(bytes, at, is_all)?;
            return Some(Field { text, is_escaped, next, is_last });
        }
    }

    /// Returns where to go on behind a field that ends at `at`, and whether the record ends with it.
    fn end(&self, bytes: &[u8], at: usize, is_all: bool) -> Option<(usize, bool)> {
        match bytes.get(at) {
            None => is_all.then_some((at, true)),
            Some(&byte) if byte == self.delimiter => Some((at + 1, false)),
            Some(b'\r') => match bytes.get(at + 1) {
                Some(b'\n') => Some((at + 2, true)),
                Some(_) => Some((at + 1, true)),
                None => is_all.then_some((at + 1, true)),
            },
            Some(_) => Some((at + 1, true)),
        }
    }
}

/// Returns a text in which doubled quotes are single; `buffer` holds it.
pub(super) fn unescape<'b>(text: &[u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    buffer.clear();
    let mut rest = text;
    while let Some(quote) = rest.iter().position(|&b| b == b'"') {
        buffer.extend_from_slice(&rest[..=quote]);
        rest = rest.get(quote + 2..).unwrap_or_default();
    }
    buffer.extend_from_slice(rest);
    buffer
}
