//! TextLineReader: the lines of text files.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::PathBuf;

use downpour_formats::{io_error, open_regular};
use downpour_runtime::Registry;
use downpour_tensor::{ByteString, Result, Status, StringWriter};

use super::format::{Format, NextRecord, Record, Stop, key, path};
use super::resource;

const BUFFER: usize = 256 << 10;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "TextLineReaderV2() -> (reader_handle: resource) @stateful
            skip_header_lines: int = 0
            container: string = ''
            shared_name: string = ''",
        "TextLineReader() -> (reader_handle: Ref(string)) @stateful
            skip_header_lines: int = 0
            container: string = ''
            shared_name: string = ''",
    ] {
        registry.add(resource::spec(signature)?, |build| {
            let skip = build.int("skip_header_lines")?;
            let skip = u64::try_from(skip).map_err(|_| {
                Status::invalid_argument(format!("skip_header_lines must be >= 0 not {skip}"))
            })?;
            resource::create(build, move || Box::new(TextLine { skip, file: None }))
        })?;
    }
    Ok(())
}

struct TextLine {
    /// Lines at the beginning of each file that are no records.
    skip: u64,
    file: Option<Lines>,
}

struct Lines {
    path: PathBuf,
    input: BufReader<File>,
    /// The beginning of the next line, if reading it was cancelled.
    line: StringWriter,
    /// Lines read so far.
    number: u64,
}

impl Format for TextLine {
    fn start(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<()> {
        let path = path(work)?;
        let file = open_regular(&path).map_err(|e| io_error("open", &path, &e))?;
        let input = BufReader::with_capacity(BUFFER, file);
        let mut lines = Lines { path, input, line: StringWriter::new(), number: 0 };
        while lines.number < self.skip && lines.next(stop)?.is_some() {}
        self.file = Some(lines);
        Ok(())
    }

    fn read(&mut self, work: &ByteString, stop: Stop<'_>) -> Result<NextRecord> {
        let lines = self.file.as_mut().ok_or_else(|| Status::internal("no file was opened"))?;
        match lines.next(stop)? {
            Some(value) => Ok(NextRecord::Record(Record { key: key(work, lines.number)?, value })),
            None => {
                self.file = None;
                Ok(NextRecord::End)
            }
        }
    }

    fn reset(&mut self) {
        self.file = None;
    }
}

impl Lines {
    /// Reads a line without its end (`\n` or `\r\n`). An empty line that no `\n` ends is none.
    fn next(&mut self, stop: Stop<'_>) -> Result<Option<ByteString>> {
        let ended = loop {
            stop()?;
            let buffer = match self.input.fill_buf() {
                Ok([]) => break false,
                Ok(buffer) => buffer,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(io_error("read", &self.path, &e)),
            };
            let (part, used, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
                Some(end) => (&buffer[..end], end + 1, true),
                None => (buffer, buffer.len(), false),
            };
            self.line.push(part).map_err(|e| e.context(self.path.display()))?;
            self.input.consume(used);
            if ended {
                break true;
            }
        };
        let line = std::mem::take(&mut self.line).finish();
        let line = line.strip_suffix(b"\r").map(|start| line.slice_ref(start)).unwrap_or(line);
        if line.is_empty() && !ended {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(line))
    }
}
