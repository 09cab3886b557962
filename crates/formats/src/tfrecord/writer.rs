//! Writes records, with their checksums.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use downpour_disk::io_error;
use downpour_tensor::{Result, Status};
use flate2::write::{GzEncoder, ZlibEncoder};

use super::{Compression, FOOTER, HEADER};
use crate::checksum::masked_crc;

enum Sink<W: Write> {
    Plain(BufWriter<W>),
    Gzip(GzEncoder<BufWriter<W>>),
    Zlib(ZlibEncoder<BufWriter<W>>),
}

/// Writes records one after the other. Dropping it without `finish` loses the errors of its last bytes.
pub struct RecordWriter<W: Write> {
    sink: Sink<W>,
    name: String,
    written: u64,
}

impl RecordWriter<File> {
    /// Makes (or empties) the file at `path`.
    pub fn create(path: &Path, compression: Compression) -> Result<RecordWriter<File>> {
        let file = File::create(path).map_err(|e| io_error("create", path, &e))?;
        let mut writer = RecordWriter::new(file, compression);
        writer.name = path.display().to_string();
        Ok(writer)
    }
}

impl<W: Write> RecordWriter<W> {
    /// Writes into anything.
    pub fn new(sink: W, compression: Compression) -> RecordWriter<W> {
        let sink = BufWriter::with_capacity(1 << 18, sink);
        let level = flate2::Compression::default();
        let sink = match compression {
            Compression::None => Sink::Plain(sink),
            Compression::Gzip => Sink::Gzip(GzEncoder::new(sink, level)),
            Compression::Zlib => Sink::Zlib(ZlibEncoder::new(sink, level)),
        };
        RecordWriter { sink, name: "records".into(), written: 0 }
    }

    /// Appends a record.
    pub fn write(&mut self, record: &[u8]) -> Result<()> {
        let length = (record.len() as u64).to_le_bytes();
        let parts: [&[u8]; 4] = [
            &length,
            &masked_crc(&length).to_le_bytes(),
            record,
            &masked_crc(record).to_le_bytes(),
        ];
        for part in parts {
            let done = match &mut self.sink {
                Sink::Plain(sink) => sink.write_all(part),
                Sink::Gzip(sink) => sink.write_all(part),
                Sink::Zlib(sink) => sink.write_all(part),
            };
            done.map_err(|e| failed(&self.name, &e))?;
        }
        self.written += (HEADER + record.len() + FOOTER) as u64;
        Ok(())
    }

    /// Bytes written so far, before compression: where the next record begins.
    pub fn offset(&self) -> u64 {
        self.written
    }

    /// Hands everything written so far to the file.
    pub fn flush(&mut self) -> Result<()> {
        let done = match &mut self.sink {
            Sink::Plain(sink) => sink.flush(),
            Sink::Gzip(sink) => sink.flush(),
            Sink::Zlib(sink) => sink.flush(),
        };
        done.map_err(|e| failed(&self.name, &e))
    }

    /// Writes what is left, and gives the file back.
    pub fn finish(self) -> Result<W> {
        let name = &self.name;
        let buffered = match self.sink {
            Sink::Plain(sink) => sink,
            Sink::Gzip(sink) => sink.finish().map_err(|e| failed(name, &e))?,
            Sink::Zlib(sink) => sink.finish().map_err(|e| failed(name, &e))?,
        };
        buffered.into_inner().map_err(|e| failed(name, e.error()))
    }
}

fn failed(name: &str, error: &std::io::Error) -> Status {
    io_error("write", Path::new(name), error)
}
