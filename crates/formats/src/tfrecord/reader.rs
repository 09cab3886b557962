//! Reads records out of one buffer that is filled by large reads; a record is borrowed from it.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use downpour_disk::io_error;
use downpour_tensor::{ByteString, Result, Status, StringWriter};

use super::{Compression, FOOTER, HEADER};
use crate::checksum::masked_crc;

/// What to make of a file that ends in the middle of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TruncatedTail {
    /// An error: the file was meant to be complete.
    #[default]
    Refuse,
    /// The end for now: the file is being written, or its writer was killed. Asking again reads on
    /// if the file has grown; [`RecordReader::truncated_at`] tells that something was left over.
    End,
}

/// How to read a record file.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Compression of the whole file.
    pub compression: Compression,
    /// What to make of an incomplete last record.
    pub truncated_tail: TruncatedTail,
    /// Bytes asked of the file at a time.
    pub buffer_bytes: usize,
    /// A longer record is refused. The buffer grows with the bytes that are really there, so that a
    /// forged length alone costs nothing.
    pub max_record_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            compression: Compression::None,
            truncated_tail: TruncatedTail::Refuse,
            buffer_bytes: 1 << 20,
            // No protobuf message can be longer.
            max_record_bytes: i32::MAX as usize,
        }
    }
}

/// Reads a file's records one after the other.
pub struct RecordReader<R = Box<dyn Read + Send>> {
    source: R,
    name: String,
    buffer: Vec<u8>,
    /// What of the buffer has been read and not yet handed out.
    start: usize,
    end: usize,
    /// The file's byte at `start`, after decompression.
    offset: u64,
    truncated: bool,
    /// The decompressor missed the end of its stream.
    stream_cut: bool,
    options: ReadOptions,
}

impl RecordReader {
    /// Opens a file, compressed as `options` say.
    pub fn open(path: &Path, options: ReadOptions) -> Result<RecordReader> {
        let file = File::open(path).map_err(|e| io_error("open", path, &e))?;
        Ok(RecordReader::decompress(file, path.display().to_string(), options))
    }

    /// Opens a file that is not compressed at a record that begins at byte `offset`, as
    /// [`RecordReader::offset`] told it.
    pub fn open_at(path: &Path, offset: u64, options: ReadOptions) -> Result<RecordReader> {
        if options.compression != Compression::None {
            return Err(Status::invalid_argument(format!(
                "{} is compressed: it can only be read from its beginning",
                path.display()
            )));
        }
        let mut file = File::open(path).map_err(|e| io_error("open", path, &e))?;
        file.seek(SeekFrom::Start(offset)).map_err(|e| io_error("seek in", path, &e))?;
        let mut reader = RecordReader::decompress(file, path.display().to_string(), options);
        reader.offset = offset;
        Ok(reader)
    }

    /// Reads records from any source, compressed as `options` say. `name` stands in errors.
    pub fn decompress(
        source: impl Read + Send + 'static,
        name: impl Into<String>,
        options: ReadOptions,
    ) -> RecordReader {
        RecordReader::new(options.compression.decompress(source), name, options)
    }
}

impl<R: Read> RecordReader<R> {
    /// Reads records from bytes that are not compressed (any more). `name` stands in errors.
    pub fn new(source: R, name: impl Into<String>, options: ReadOptions) -> RecordReader<R> {
        RecordReader {
            source,
            name: name.into(),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset: 0,
            truncated: false,
            stream_cut: false,
            options,
        }
    }

    /// Where the next record begins: its first byte in the (decompressed) file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Where the incomplete record begins after which the file ended, if it did so.
    pub fn truncated_at(&self) -> Option<u64> {
        self.truncated.then_some(self.offset)
    }

    /// The next record, borrowed from the buffer; `None` at the end of the file.
    ///
    /// After an error the reader stays where it was: asking again gives the same error.
    pub fn next_record(&mut self) -> Result<Option<&[u8]>> {
        let Some(length) = self.find_next()? else { return Ok(None) };
        let record = self.start + HEADER..self.start + HEADER + length;
        self.consume(HEADER + length + FOOTER);
        Ok(Some(&self.buffer[record]))
    }

    /// Up to `count` records (fewer once they take `max_bytes` together, and at the end of the
    /// file), all in one allocation; none at the end. Records that came before a damaged one are
    /// handed out first, the error at the next call.
    pub fn read_batch(&mut self, count: usize, max_bytes: usize) -> Result<Vec<ByteString>> {
        let mut bytes = StringWriter::new();
        let mut ends = Vec::new();
        while ends.len() < count && (ends.is_empty() || bytes.len() < max_bytes) {
            match self.next_record() {
                Ok(Some(record)) => bytes.push(record)?,
                Ok(None) => break,
                Err(error) if ends.is_empty() => return Err(error),
                Err(_) => break,
            }
            ends.push(bytes.len());
        }
        let bytes = bytes.finish();
        let mut start = 0;
        Ok(ends
            .into_iter()
            .map(|end| bytes.slice(std::mem::replace(&mut start, end)..end))
            .collect())
    }

    /// Steps over up to `count` records and returns over how many. Their bytes are not checked.
    pub fn skip_records(&mut self, count: u64) -> Result<u64> {
        for skipped in 0..count {
            let Some(length) = self.find_header()? else { return Ok(skipped) };
            if !self.fill(HEADER + length + FOOTER)? {
                return self.incomplete("its bytes").map(|_: Option<()>| skipped);
            }
            self.consume(HEADER + length + FOOTER);
        }
        Ok(count)
    }

    #[cfg(test)]
    pub(super) fn buffer_capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// Brings the next record into the buffer, at `start`, and checks it.
    fn find_next(&mut self) -> Result<Option<usize>> {
        let Some(length) = self.find_header()? else { return Ok(None) };
        if !self.fill(HEADER + length + FOOTER)? {
            return self.incomplete("its bytes");
        }
        let (record, rest) = self.buffer[self.start + HEADER..self.end].split_at(length);
        if masked_crc(record).to_le_bytes() != rest[..FOOTER] {
            return Err(self.corrupt(&format!("the checksum of its {length} bytes does not match")));
        }
        Ok(Some(length))
    }

    fn find_header(&mut self) -> Result<Option<usize>> {
        self.truncated = false;
        if !self.fill(HEADER)? {
            let complete = self.start == self.end && !self.stream_cut;
            return if complete { Ok(None) } else { self.incomplete("its header") };
        }
        let header = &self.buffer[self.start..self.start + HEADER];
        let (length, checksum) = header.split_at(8);
        if masked_crc(length).to_le_bytes() != checksum {
            return Err(self.corrupt("the checksum of its length does not match"));
        }
        let length = length.iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        match usize::try_from(length) {
            Ok(length) if length <= self.options.max_record_bytes => Ok(Some(length)),
            _ => Err(self.corrupt(&format!(
                "it claims {length} bytes, more than the {} allowed",
                self.options.max_record_bytes
            ))),
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Reads until `wanted` bytes stand in the buffer; false if the file ends before.
    fn fill(&mut self, wanted: usize) -> Result<bool> {
        while self.end - self.start < wanted {
            if self.start > 0 && self.start + wanted > self.buffer.len() {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            if self.end == self.buffer.len() {
                let larger = (2 * self.buffer.len()).min(wanted);
                self.buffer.resize(larger.max(self.options.buffer_bytes).max(HEADER), 0);
            }
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => self.end += read,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                    self.stream_cut = true;
                    return Ok(false);
                }
                Err(e) if matches!(e.kind(), ErrorKind::InvalidData | ErrorKind::InvalidInput) => {
                    return Err(self.corrupt(&format!("the compressed stream is damaged ({e})")));
                }
                Err(e) => return Err(io_error("read", Path::new(&self.name), &e)),
            }
        }
        Ok(true)
    }

    fn incomplete<T>(&mut self, what: &str) -> Result<Option<T>> {
        self.truncated = true;
        match self.options.truncated_tail {
            TruncatedTail::End => Ok(None),
            TruncatedTail::Refuse => Err(Status::data_loss(format!(
                "{}: the file ends within {what} in the record at byte {}; it was cut, or is still being written",
                self.name, self.offset
            ))),
        }
    }

    fn corrupt(&self, what: &str) -> Status {
        let hint = match self.offset {
            0 => "; is it a record file, and compressed as told?",
            _ => "",
        };
        Status::data_loss(format!(
            "{}: corrupted record at byte {}: {what}{hint}",
            self.name, self.offset
        ))
    }
}
