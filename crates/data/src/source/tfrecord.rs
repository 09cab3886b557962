//! TFRecord files: the records as strings, or the Examples in them parsed.

use downpour_formats::tfrecord::{Compression as Packed, ReadOptions, RecordReader};
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor};

use crate::decoder::{Decoder, DecoderCursor};
use crate::example::ExampleParser;
use crate::position::State;
use crate::source::files::{Files, Format};
use crate::stage::{Cursor, Field, Schema};
use crate::storage::{Compression, FileRef, resolve};
use crate::{Block, Dataset, Names};

const RECORDS: usize = 1024;
const CHUNK_BYTES: usize = 512 << 10;

struct TfRecord {
    names: Names,
    compression: Compression,
    parser: Option<ExampleParser>,
    /// Where the first record of each file begins; nothing stands for the beginnings of the files.
    offsets: Vec<u64>,
}

impl Dataset {
    /// The records of TFRecord files (paths, globs or URLs) as strings named `record`.
    pub fn tfrecord(files: &str, compression: Compression) -> Result<Dataset> {
        Ok(Dataset::records(resolve(files)?, compression))
    }

    /// The records of these files, one file after the other.
    pub fn records(files: Vec<FileRef>, compression: Compression) -> Dataset {
        TfRecord::dataset(files, compression, None)
    }

    /// The records of these files from a byte of each on, after decompression. Without offsets they are read from their
    /// beginnings.
    pub fn records_from(
        files: Vec<FileRef>,
        compression: Compression,
        offsets: Vec<u64>,
    ) -> Dataset {
        let names = Names::new(["record"]);
        Dataset::new(Files::new(TfRecord { names, compression, parser: None, offsets }, files))
    }

    /// The Examples in TFRecord files, parsed. Errors name the file and the record.
    pub fn examples(
        files: &str,
        compression: Compression,
        parser: ExampleParser,
    ) -> Result<Dataset> {
        Ok(TfRecord::dataset(resolve(files)?, compression, Some(parser)))
    }
}

impl TfRecord {
    fn dataset(
        files: Vec<FileRef>,
        compression: Compression,
        parser: Option<ExampleParser>,
    ) -> Dataset {
        let names = Names::new(["record"]);
        let format = TfRecord { names, compression, parser, offsets: Vec::new() };
        Dataset::new(Files::new(format, files))
    }

    fn decoder(&self, file: &FileRef, index: usize, mark: Option<&State>) -> Result<RecordDecoder> {
        let compression = match self.compression {
            Compression::Auto => {
                let start = file.read_up_to(16)?;
                match Packed::detect(&start) {
                    Packed::None => Compression::None,
                    Packed::Gzip => Compression::Gzip,
                    Packed::Zlib => Compression::Zlib,
                }
            }
            told => told,
        };
        let start = [self.offsets.get(index).copied().unwrap_or(0), 0];
        let [offset, number] = mark.map_or(Ok(start), State::expect)?;
        let input = compression.open_from(file, offset)?;
        Ok(RecordDecoder {
            // The file's name is added outside.
            reader: RecordReader::new(input, "", ReadOptions::default()),
            base: offset,
            number,
            names: self.names.clone(),
            parser: self.parser.clone(),
            kept: Vec::new().into_iter(),
            place: (offset, number),
            ended: false,
        })
    }
}

impl Format for TfRecord {
    fn describe(&self) -> String {
        match &self.parser {
            Some(parser) => format!("tfrecord, {}", crate::MapFunction::name(parser)),
            None => "tfrecord".to_owned(),
        }
    }

    fn schema(&self) -> Option<Schema> {
        let records = Schema { fields: vec![Field::new("record", DataType::String, &[])] };
        match &self.parser {
            Some(parser) => crate::MapFunction::schema(parser, Some(records)),
            None => Some(records),
        }
    }

    fn open(&self, file: &FileRef, index: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| self.decoder(file, index, mark))
    }
}

struct RecordDecoder {
    reader: RecordReader<Box<dyn std::io::Read + Send>>,
    /// Where `reader` began.
    base: u64,
    /// Records read.
    number: u64,
    names: Names,
    parser: Option<ExampleParser>,
    /// Records of a chunk in which one cannot be parsed.
    kept: std::vec::IntoIter<ByteString>,
    /// Offset and number of the next record to deliver.
    place: (u64, u64),
    ended: bool,
}

/// What a record takes beside its bytes.
const FRAME: u64 = 16;

impl RecordDecoder {
    fn read(&mut self) -> Result<Vec<ByteString>> {
        if self.ended {
            return Ok(Vec::new());
        }
        let records = self.reader.read_batch(RECORDS, CHUNK_BYTES).map_err(|error| {
            // A record whose length is good can be stepped over; behind a bad length all is lost.
            self.ended = self.reader.skip_records(1) != Ok(1);
            let text = error.message().trim_start_matches(": ");
            let number = self.number;
            self.number += 1;
            self.place = (self.base + self.reader.offset(), self.number);
            Status::new(error.code(), format!("record {number}: {text}"))
        })?;
        Ok(records)
    }

    /// One record of a chunk with a bad one.
    fn parse_one(&mut self, record: ByteString) -> Result<Option<Block>> {
        let number = self.number;
        self.number += 1;
        self.place = (self.place.0 + record.len() as u64 + FRAME, self.number);
        let column = Tensor::from_strings([1], vec![record])?;
        let parser = self.parser.as_ref().ok_or_else(|| Status::internal("nothing to parse"))?;
        let parsed = parser.parse_rows(column.strings()?);
        parsed.map(Some).map_err(|e| e.context(format_args!("record {number}")))
    }
}

impl Decoder for RecordDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        if let Some(record) = self.kept.next() {
            return self.parse_one(record);
        }
        let records = self.read()?;
        if records.is_empty() {
            self.ended = true;
            return Ok(None);
        }
        let rows = records.len();
        let block = match &self.parser {
            None => {
                let column = Tensor::from_strings([rows], records)?;
                Block::from_columns(self.names.clone(), rows, vec![column])?
            }
            Some(parser) => match parser.parse_rows(&records) {
                Ok(block) => block,
                Err(_) => {
                    self.kept = records.into_iter();
                    return self.decode();
                }
            },
        };
        self.number += rows as u64;
        self.place = (self.base + self.reader.offset(), self.number);
        Ok(Some(block))
    }

    fn mark(&self) -> State {
        State::of([self.place.0, self.place.1])
    }
}

#[cfg(test)]
mod tests;
