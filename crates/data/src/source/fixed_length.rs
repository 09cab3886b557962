//! Records of equal length.

use std::io::Read;

use downpour_tensor::{ByteString, Result, Status, StringWriter, Tensor};

use crate::decoder::{Decoder, DecoderCursor};
use crate::position::State;
use crate::source::files::{Files, Format};
use crate::stage::{Cursor, Field, Schema};
use crate::storage::{Compression, FileRef, read_error};
use crate::{Block, Dataset, Names};

/// Records that are read at once, as long as they have no more bytes than this together.
const RECORDS: u64 = 1024;
const CHUNK_BYTES: u64 = 512 << 10;

/// How many bytes the parts of a file have.
#[derive(Clone, Copy, Debug)]
pub struct FixedLength {
    /// Bytes before the first record.
    pub header: u64,
    /// Bytes of each record; not 0.
    pub record: u64,
    /// Bytes behind the last record.
    pub footer: u64,
    /// How the files are packed; the lengths are those of the contents.
    pub compression: Compression,
}

impl Dataset {
    /// The records of these files, one file after the other.
    pub fn fixed_length_records(files: Vec<FileRef>, lengths: FixedLength) -> Dataset {
        Dataset::new(Files::new(
            FixedLengthFormat { lengths, names: Names::new(["record"]) },
            files,
        ))
    }
}

struct FixedLengthFormat {
    lengths: FixedLength,
    names: Names,
}

impl FixedLength {
    /// Fails unless a file of `size` bytes holds whole records.
    fn check(&self, size: u64, name: &str) -> Result<()> {
        let ends = u128::from(self.header) + u128::from(self.footer);
        match u128::from(size).checked_sub(ends) {
            Some(body) if body.is_multiple_of(self.record.into()) => Ok(()),
            _ => Err(Status::invalid_argument(self.uneven(i128::from(size) - ends as i128, name))),
        }
    }

    fn uneven(&self, body: i128, name: &str) -> String {
        let FixedLength { header, record, footer, .. } = self;
        format!(
            "Excluding the header ({header} bytes) and footer ({footer} bytes), input file \"{name}\" has body length {body} bytes, \
             which is not an exact multiple of the record length ({record} bytes)."
        )
    }
}

impl Format for FixedLengthFormat {
    fn describe(&self) -> String {
        let FixedLength { header, record, footer, .. } = self.lengths;
        format!("fixed_length({header}, {record}, {footer})")
    }

    fn schema(&self) -> Option<Schema> {
        let fields = vec![Field::new("record", downpour_tensor::DataType::String, &[])];
        Some(Schema { fields })
    }

    fn open(&self, file: &FileRef, _: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| {
            let compression = self.lengths.compression.of(file)?;
            if compression == Compression::None {
                self.lengths.check(file.size()?, file.name())?;
            }
            let start = [self.lengths.header, 0];
            let [offset, is_ended] = mark.map_or(Ok(start), State::expect)?;
            let input: Box<dyn Read + Send> = match is_ended {
                0 => compression.open_from(file, offset)?,
                _ => Box::new(std::io::empty()),
            };
            Ok(FixedLengthDecoder {
                lengths: self.lengths,
                names: self.names.clone(),
                file: file.name().to_owned(),
                input,
                rest: ByteString::new(),
                offset,
                is_read: is_ended != 0,
                is_ended: is_ended != 0,
            })
        })
    }
}

struct FixedLengthDecoder {
    lengths: FixedLength,
    names: Names,
    /// The name of the file.
    file: String,
    input: Box<dyn Read + Send>,
    /// Bytes that were read behind the last record that was delivered: the footer may be among them.
    rest: ByteString,
    /// The byte of the contents at which `rest` begins.
    offset: u64,
    is_read: bool,
    is_ended: bool,
}

impl FixedLengthDecoder {
    /// Reads until there are some records and a footer, or the file ends.
    fn read(&mut self) -> Result<ByteString> {
        let records = (CHUNK_BYTES / self.lengths.record).clamp(1, RECORDS);
        let wanted =
            (self.lengths.record.saturating_mul(records)).saturating_add(self.lengths.footer);
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        let mut bytes = StringWriter::with_capacity(wanted.min(2 * CHUNK_BYTES as usize))?;
        bytes.push(&self.rest)?;
        self.rest = ByteString::new();
        while !self.is_read && bytes.len() < wanted {
            let most = (wanted - bytes.len()).min(CHUNK_BYTES as usize);
            let input = &mut self.input;
            let read = bytes.read_more(most, &mut |buffer| loop {
                match input.read(buffer) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    read => return read.map_err(|e| read_error(&e)),
                }
            })?;
            self.is_read = read == 0;
        }
        Ok(bytes.finish())
    }
}

impl Decoder for FixedLengthDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        if self.is_ended {
            return Ok(None);
        }
        let bytes = self.read().inspect_err(|_| self.is_ended = true)?;
        let FixedLength { header, record, footer, .. } = self.lengths;
        let rows = (bytes.len() as u64).saturating_sub(footer) / record;
        if rows == 0 {
            self.is_ended = true;
            let body = i128::from(self.offset) + bytes.len() as i128
                - i128::from(header)
                - i128::from(footer);
            return match bytes.len() as u64 == footer {
                true => Ok(None),
                false => Err(Status::data_loss(self.lengths.uneven(body, &self.file))),
            };
        }
        // Both fit: the bytes are there.
        let (rows, record) = (rows as usize, record as usize);
        self.offset += (rows * record) as u64;
        self.rest = ByteString::copy_from(&bytes[rows * record..])?;
        let records = (0..rows).map(|row| bytes.slice(row * record..(row + 1) * record));
        let column = Tensor::from_strings([rows], records.collect())?;
        Block::from_columns(self.names.clone(), rows, vec![column]).map(Some)
    }

    fn mark(&self) -> State {
        State::of([self.offset, self.is_ended.into()])
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use downpour_tensor::Code;

    use super::*;

    fn dataset(
        contents: &[u8],
        [header, record, footer]: [u64; 3],
        compression: Compression,
    ) -> (tempfile::NamedTempFile, Dataset) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        if compression == Compression::Zlib {
            let level = flate2::Compression::fast();
            let mut packed = flate2::write::ZlibEncoder::new(&mut file, level);
            packed.write_all(contents).unwrap();
            packed.finish().unwrap();
        } else {
            file.write_all(contents).unwrap();
        }
        let files = vec![FileRef::named(file.path().to_str().unwrap()).unwrap(); 2];
        let lengths = FixedLength { header, record, footer, compression };
        (file, Dataset::fixed_length_records(files, lengths))
    }

    fn text(element: crate::Element) -> String {
        String::from_utf8(element[0].strings().unwrap()[0].to_vec()).unwrap()
    }

    #[test]
    fn records_lie_between_header_and_footer() {
        for compression in [Compression::None, Compression::Zlib] {
            let (_file, data) = dataset(b"hhaabbccf", [2, 2, 1], compression);
            let all: Vec<_> = data.iterate().unwrap().map(|e| text(e.unwrap())).collect();
            assert_eq!(all, ["aa", "bb", "cc", "aa", "bb", "cc"]);
            for stop in 0..=6 {
                let mut iterator = data.iterate().unwrap();
                iterator.by_ref().take(stop).for_each(drop);
                let rest = data.iterate_from(&iterator.position()).unwrap();
                let rest: Vec<_> = rest.map(|e| text(e.unwrap())).collect();
                assert_eq!(rest, all[stop..], "{stop}");
            }
            assert_eq!(dataset(b"hhf", [2, 2, 1], compression).1.iterate().unwrap().count(), 0);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (_file, data) = dataset(b"hhaabbcf", [2, 2, 1], Compression::None);
        let error = data.iterate().unwrap().next().unwrap_err();
        assert!(error.message().contains("\" has body length 5 bytes"), "{error}");
        let (_file, data) = dataset(b"hhaabbcf", [2, 2, 1], Compression::Zlib);
        let mut items = data.iterate().unwrap();
        assert_eq!(text(items.next().unwrap().unwrap()), "aa");
        assert_eq!(text(items.next().unwrap().unwrap()), "bb");
        assert_eq!(items.next().unwrap_err().code(), Code::DataLoss);
        assert_eq!(text(items.next().unwrap().unwrap()), "aa");
        for compression in [Compression::None, Compression::Zlib] {
            let (_file, data) = dataset(b"short", [u64::MAX, u64::MAX, u64::MAX], compression);
            assert!(data.iterate().unwrap().next().is_err());
            let (_file, data) = dataset(b"short", [0, u64::MAX, 0], compression);
            assert!(data.iterate().unwrap().next().is_err());
        }
    }

    #[test]
    fn many_records_come_in_order() {
        let contents: Vec<u8> = (0..10_000u16).flat_map(u16::to_le_bytes).collect();
        let (_file, data) = dataset(&contents, [0, 2, 0], Compression::Zlib);
        let numbers = data.iterate().unwrap().map(|e| {
            let e = e.unwrap();
            u16::from_le_bytes(e[0].strings().unwrap()[0][..].try_into().unwrap())
        });
        assert!(numbers.eq((0..10_000).chain(0..10_000)));
    }
}
