//! The records of CSV files by TensorFlow's rules.
//!
//! They are stricter than those of [`Csv`](crate::Csv): a quote within an unquoted field is an error, an empty line is a
//! record of one empty field, and every column has a type and may have a default. A bad record is one error; the records
//! behind it follow.

mod column;
mod rules;

use std::io::Read;
use std::sync::Arc;

use downpour_tensor::{ByteString, Charge, Result, Status};

use crate::decoder::{Decoder, DecoderCursor};
use crate::position::State;
use crate::source::files::{Files, Format};
use crate::stage::Cursor;
use crate::storage::{Compression, FileRef, read_error};
use crate::{Block, Dataset, Names};
use column::Column;
use rules::{FirstRecord, Rules};

/// Records that are made at once, and bytes of text after which a block is complete.
const RECORDS: usize = 1024;
const BLOCK_BYTES: usize = 512 << 10;
const BUFFER: usize = 256 << 10;
/// A file with a longer record is not a CSV file, or a quote is missing.
const LONGEST: usize = 256 << 20;

/// How CSV files are read.
#[derive(Clone, Debug)]
pub struct CsvRecords {
    /// Whether the first record of each file is passed over.
    pub header: bool,
    /// The byte between fields.
    pub delimiter: u8,
    /// Whether fields may be quoted.
    pub quotes: bool,
    /// A field that is missing as an empty one is.
    pub missing: Vec<u8>,
    /// The columns of the files that are read.
    pub chosen: ChosenColumns,
    /// Types and defaults of those columns.
    pub columns: Vec<CsvColumn>,
    /// How the files are packed.
    pub compression: Compression,
}

/// Which columns of a file are read.
#[derive(Clone, Debug)]
pub enum ChosenColumns {
    /// All of them.
    All,
    /// Those with these numbers, which rise.
    These(Vec<u64>),
    /// Those without these numbers, which rise.
    Without(Vec<u64>),
}

/// The type of a column, and its value where a record has none.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants are called as the types")]
pub enum CsvColumn {
    Float(Option<f32>),
    Double(Option<f64>),
    Int32(Option<i32>),
    Int64(Option<i64>),
    Text(Option<ByteString>),
}

impl Dataset {
    /// The records of these files, one file after the other.
    pub fn csv_records(files: Vec<FileRef>, records: CsvRecords) -> Dataset {
        let names = Names::numbered(records.columns.len());
        Dataset::new(Files::new(CsvFormat { records: Arc::new(records), names }, files))
    }
}

struct CsvFormat {
    records: Arc<CsvRecords>,
    names: Names,
}

impl Format for CsvFormat {
    fn describe(&self) -> String {
        format!("csv_records({})", self.records.columns.len())
    }

    fn open(&self, file: &FileRef, _: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| {
            let [offset] = mark.map(|m| m.expect()).transpose()?.unwrap_or([0]);
            let input = self.records.compression.of(file)?.open_from(file, offset)?;
            let records = &self.records;
            Ok(CsvDecoder {
                rules: Rules::new(records.delimiter, records.quotes),
                columns: records.columns.iter().map(Column::new).collect(),
                records: records.clone(),
                names: self.names.clone(),
                input,
                buffer: Vec::new(),
                charge: Charge::default(),
                start: 0,
                end: 0,
                is_read: false,
                offset,
                is_header_due: records.header && offset == 0,
                unescaped: Vec::new(),
            })
        })
    }
}

struct CsvDecoder {
    records: Arc<CsvRecords>,
    rules: Rules,
    columns: Vec<Column>,
    names: Names,
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// Counts the buffer.
    charge: Charge,
    /// The part of the buffer that was read and not yet used.
    start: usize,
    end: usize,
    /// Whether the file has nothing behind the buffer.
    is_read: bool,
    /// The byte of the file at `start`, after decompression.
    offset: u64,
    is_header_due: bool,
    /// A quoted field without the quotes that are doubled.
    unescaped: Vec<u8>,
}

impl CsvDecoder {
    /// Reads more of the file behind what the buffer holds.
    fn fill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.end == self.buffer.len() {
            let size = (self.end * 2).max(BUFFER);
            if size > LONGEST {
                return Err(self.give_up(Status::data_loss(format!(
                    "the record at byte {} is longer than {} bytes; is a quote missing?",
                    self.offset,
                    LONGEST / 2
                ))));
            }
            if let Err(refused) = self.charge.grow(size - self.end) {
                return Err(self.give_up(refused));
            }
            self.buffer.resize(size, 0);
        }
        match self.input.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.is_read = true,
            Ok(count) => self.end += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(self.give_up(read_error(&error))),
        }
        Ok(())
    }

    /// Nothing can be read behind a hole.
    fn give_up(&mut self, error: Status) -> Status {
        self.start = self.end;
        self.is_read = true;
        error
    }

    /// Passes over a record; `None` if its end is not in the buffer yet.
    fn pass_header(&mut self) -> Option<Result<()>> {
        let bytes = &self.buffer[self.start..self.end];
        let refused = || Status::invalid_argument("Can't read header of file");
        if bytes.is_empty() && self.is_read {
            return Some(Err(refused()));
        }
        let found = self.rules.record(bytes, self.is_read, |_, _, _| Ok(()))?;
        self.advance(found.length);
        Some(found.result.map_err(|_| refused()))
    }

    fn advance(&mut self, length: usize) {
        self.start += length;
        self.offset += length as u64;
    }

    /// Reads a record into the columns; `None` if its end is not in the buffer yet.
    fn read(&mut self) -> Option<FirstRecord> {
        let (mut taken, mut passed) = (0, 0);
        let CsvDecoder { records, columns, unescaped, .. } = self;
        let bytes = &self.buffer[self.start..self.end];
        let mut found = self.rules.record(bytes, self.is_read, |number, field, is_escaped| {
            let is_chosen = match &records.chosen {
                ChosenColumns::All => true,
                ChosenColumns::These(these) => these.get(taken) == Some(&number),
                ChosenColumns::Without(others) => {
                    let is_left_out = others.get(passed) == Some(&number);
                    passed += usize::from(is_left_out);
                    !is_left_out
                }
            };
            if !is_chosen {
                return Ok(());
            }
            let count = columns.len();
            let column = columns.get_mut(taken).ok_or_else(|| {
                Status::invalid_argument(format!("Expect {count} fields but have more in record"))
            })?;
            let field = match is_escaped {
                true => rules::unescape(field, unescaped),
                false => field,
            };
            let is_missing = field.is_empty() || field == records.missing;
            column.push(taken, (!is_missing).then_some(field))?;
            taken += 1;
            Ok(())
        })?;
        if found.result.is_ok() && taken != self.columns.len() {
            found.result = Err(Status::invalid_argument(format!(
                "Expect {} fields but have {taken} in record",
                self.columns.len()
            )));
        }
        Some(found)
    }

    fn is_at_end(&self) -> bool {
        self.is_read && self.start == self.end
    }
}

impl Decoder for CsvDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        while self.is_header_due {
            match self.pass_header() {
                None => self.fill()?,
                Some(passed) => {
                    self.is_header_due = false;
                    passed?;
                }
            }
        }
        let mut rows = 0;
        let from = self.offset;
        while rows < RECORDS && self.offset - from < BLOCK_BYTES as u64 && !self.is_at_end() {
            let found = self.read();
            if let Some(FirstRecord { length, result: Ok(()) }) = found {
                self.advance(length);
                rows += 1;
                continue;
            }
            self.columns.iter_mut().for_each(|column| column.truncate(rows));
            if rows > 0 {
                break;
            }
            match found {
                None => self.fill()?,
                Some(FirstRecord { length, result }) => {
                    self.advance(length);
                    result?;
                }
            }
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = self.columns.iter_mut().map(Column::finish).collect::<Result<_>>()?;
        Block::from_columns(self.names.clone(), rows, columns).map(Some)
    }

    /// The header counts as part of the first record.
    fn mark(&self) -> State {
        State::of([if self.is_header_due { 0 } else { self.offset }])
    }
}

#[cfg(test)]
mod tests;
