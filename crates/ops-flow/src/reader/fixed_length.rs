//! FixedLengthRecordReader: records of a fixed length between a header and a footer.
//!
//! From one record to the next it is `hop_bytes`, which may be less than a record (they overlap) or more. What lies
//! less than a footer before the end of the file is no record. The file may be compressed and is read only forwards, so
//! bytes that the next record needs again are kept.

use std::io::{BufReader, ErrorKind, Read};
use std::path::PathBuf;

use downpour_formats::tfrecord::Compression;
use downpour_formats::{io_error, open_regular};
use downpour_graph::Node;
use downpour_runtime::Registry;
use downpour_tensor::{ByteString, Charge, Result, Status};

use super::format::{Format, NextRecord, Record, Stop, key, path};
use super::resource;

const BUFFER: usize = 256 << 10;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "FixedLengthRecordReaderV2() -> (reader_handle: resource) @stateful
            header_bytes: int = 0
            record_bytes: int
            footer_bytes: int = 0
            hop_bytes: int = 0
            container: string = ''
            shared_name: string = ''
            encoding: string = ''",
        "FixedLengthRecordReader() -> (reader_handle: Ref(string)) @stateful
            header_bytes: int = 0
            record_bytes: int
            footer_bytes: int = 0
            hop_bytes: int = 0
            container: string = ''
            shared_name: string = ''",
    ] {
        registry.add(resource::spec(signature)?, |build| {
            let layout = Layout::new(build)?;
            resource::create(build, move || Box::new(FixedLength { layout, file: None }))
        })?;
    }
    Ok(())
}

/// Where records lie in a file.
#[derive(Clone, Copy)]
struct Layout {
    header: u64,
    record: usize,
    footer: usize,
    hop: u64,
    compression: Compression,
}

impl Layout {
    fn new(node: &Node) -> Result<Layout> {
        let bytes = |name: &str| -> Result<u64> {
            let bytes = node.int(name)?;
            u64::try_from(bytes)
                .map_err(|_| Status::invalid_argument(format!("{name} must be >= 0 not {bytes}")))
        };
        let (header, record) = (bytes("header_bytes")?, bytes("record_bytes")?);
        let (footer, hop) = (bytes("footer_bytes")?, bytes("hop_bytes")?);
        if record.saturating_add(footer) > i32::MAX as u64 {
            return Err(Status::invalid_argument(format!(
                "record_bytes + footer_bytes must be less than 2^31, got {record} + {footer}"
            )));
        }
        let encoding = match node.get("encoding") {
            Some(_) => node.string("encoding")?,
            None => String::new(),
        };
        let compression = Compression::from_name(&encoding)?;
        let hop = if hop == 0 { record } else { hop };
        Ok(Layout { header, record: record as usize, footer: footer as usize, hop, compression })
    }
}

struct FixedLength {
    layout: Layout,
    file: Option<Open>,
}

struct Open {
    path: PathBuf,
    input: BufReader<Box<dyn Read + Send>>,
    /// The last record and its footer: what comes after the place where the record began.
    window: Vec<u8>,
    _charge: Charge,
    /// Bytes from the beginning of the window to that of the next record.
    ahead: u64,
    /// Records read so far.
    number: u64,
}

impl Format for FixedLength {
    fn start(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<()> {
        let path = path(work)?;
        let file = open_regular(&path).map_err(|e| io_error("open", &path, &e))?;
        let window = self.layout.record + self.layout.footer;
        // A window is never longer than the file, if that has a length and is not compressed.
        let length = file.metadata().map_or(u64::MAX, |data| data.len());
        let expected = match self.layout.compression {
            Compression::None => window.min(usize::try_from(length).unwrap_or(usize::MAX)),
            _ => window,
        };
        let input = BufReader::with_capacity(BUFFER, self.layout.compression.decompress(file));
        let charge = Charge::new(expected)?;
        let (window, ahead) = (Vec::new(), self.layout.header);
        let mut open = Open { path, input, window, _charge: charge, ahead, number: 0 };
        if !open.skip(stop)? {
            return Err(Status::out_of_range(format!(
                "{} ends within its header of {} bytes",
                open.path.display(),
                self.layout.header
            )));
        }
        self.file = Some(open);
        Ok(())
    }

    fn read(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<NextRecord> {
        let open = self.file.as_mut().ok_or_else(|| Status::internal("no file was opened"))?;
        if !open.next(&self.layout, stop)? {
            self.file = None;
            return Ok(NextRecord::End);
        }
        let key = key(work, open.number)?;
        open.number += 1;
        open.ahead = self.layout.hop;
        let value = ByteString::copy_from(&open.window[..self.layout.record])?;
        Ok(NextRecord::Record(Record { key, value }))
    }

    fn reset(&mut self) {
        self.file = None;
    }
}

impl Open {
    /// Moves the window to the next record; false if there is none.
    fn next(&mut self, layout: &Layout, stop: Stop<'_>) -> Result<bool> {
        if !self.skip(stop)? {
            return Ok(false);
        }
        let wanted = layout.record + layout.footer;
        while self.window.len() < wanted {
            stop()?;
            let more = (wanted - self.window.len()).min(BUFFER) as u64;
            let read = self.input.by_ref().take(more).read_to_end(&mut self.window);
            if read.map_err(|e| broken(&self.path, &e))? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Steps over the bytes before the next record; false if the file ends before. Cancelled, it goes on next time.
    fn skip(&mut self, stop: Stop<'_>) -> Result<bool> {
        let known = usize::try_from(self.ahead).unwrap_or(usize::MAX).min(self.window.len());
        self.window.drain(..known);
        self.ahead -= known as u64;
        while self.ahead > 0 {
            stop()?;
            let part = &mut self.input.by_ref().take(self.ahead.min(BUFFER as u64));
            match std::io::copy(part, &mut std::io::sink()).map_err(|e| broken(&self.path, &e))? {
                0 => return Ok(false),
                skipped => self.ahead -= skipped,
            }
        }
        Ok(true)
    }
}

fn broken(path: &std::path::Path, error: &std::io::Error) -> Status {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
            Status::data_loss(format!(
                "{}: the compressed stream is damaged ({error})",
                path.display()
            ))
        }
        _ => io_error("read", path, error),
    }
}
