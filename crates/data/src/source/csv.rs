//! CSV files: columns chosen by name or number, typed, with defaults for empty fields.

mod column;

use std::io::Read;

use downpour_tensor::{DataType, Result, Status};

use crate::decoder::{Decoder, DecoderCursor};
use crate::position::State;
use crate::source::files::{Files, Format};
use crate::stage::{Cursor, Field, Schema};
use crate::storage::{Compression, FileRef, resolve};
use crate::{Block, Dataset, Names};
use column::Column;

const RECORDS: usize = 1024;
const BUFFER: usize = 256 << 10;

/// How CSV files are read. Fields may be quoted (`"`), quotes within doubled.
#[derive(Clone, Debug)]
pub struct Csv {
    header: bool,
    delimiter: u8,
    columns: Vec<Wanted>,
}

#[derive(Clone, Debug)]
struct Wanted {
    name: String,
    dtype: DataType,
    default: Option<String>,
}

impl Default for Csv {
    fn default() -> Csv {
        Csv::new()
    }
}

impl Csv {
    /// Files with a header, fields separated by commas. Without [`column`](Csv::column)s all are
    /// read, as strings.
    pub fn new() -> Csv {
        Csv { header: true, delimiter: b',', columns: Vec::new() }
    }

    /// Files without a header: columns are called `0`, `1`, ...
    pub fn without_header(mut self) -> Csv {
        self.header = false;
        self
    }

    /// Another separator than the comma.
    pub fn delimiter(mut self, delimiter: u8) -> Csv {
        self.delimiter = delimiter;
        self
    }

    /// Reads a column as numbers, booleans (`true`, `false`, `1`, `0`) or strings. Empty fields of
    /// other types than strings are errors.
    pub fn column(mut self, name: impl Into<String>, dtype: DataType) -> Csv {
        self.columns.push(Wanted { name: name.into(), dtype, default: None });
        self
    }

    /// The same with a value for empty fields.
    pub fn column_or(
        mut self,
        name: impl Into<String>,
        dtype: DataType,
        default: impl Into<String>,
    ) -> Csv {
        self.columns.push(Wanted { name: name.into(), dtype, default: Some(default.into()) });
        self
    }

    fn reader(&self, input: Box<dyn Read + Send>, header: bool) -> Reader {
        csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(header)
            // Our own check names the line and both counts.
            .flexible(true)
            .buffer_capacity(BUFFER)
            .from_reader(input)
    }

    /// Finds the wanted columns among those of the file.
    fn choose(&self, present: &[String]) -> Result<Vec<Column>> {
        if self.columns.is_empty() {
            let all = present.iter().enumerate();
            return all.map(|(i, n)| Column::new(n, i, DataType::String, None)).collect();
        }
        let mut chosen = Vec::with_capacity(self.columns.len());
        for wanted in &self.columns {
            let place = present.iter().position(|n| *n == wanted.name).ok_or_else(|| {
                Status::not_found(format!(
                    "there is no column {:?}; the file has {}",
                    wanted.name,
                    present.join(", ")
                ))
            })?;
            chosen.push(Column::new(&wanted.name, place, wanted.dtype, wanted.default.as_deref())?);
        }
        Ok(chosen)
    }
}

type Reader = csv::Reader<Box<dyn Read + Send>>;

impl Dataset {
    /// The records of CSV files: paths, globs or URLs; gzip is unpacked on the way.
    ///
    /// ```
    /// use downpour_data::{Csv, Dataset};
    /// use downpour_tensor::DataType;
    /// let folder = tempfile::tempdir().unwrap();
    /// std::fs::write(folder.path().join("a.csv"), "name,age\n\"Lovelace, Ada\",36\nAlan,\n").unwrap();
    /// let csv = Csv::new().column("name", DataType::String).column_or("age", DataType::Float, "-1");
    /// let data = Dataset::csv(folder.path().join("*.csv").to_str().unwrap(), csv).unwrap();
    /// let ages: Vec<f32> = data.iterate().unwrap()
    ///     .map(|e| e.unwrap().get("age").unwrap().to_scalar().unwrap()).collect();
    /// assert_eq!(ages, [36., -1.]);
    /// ```
    pub fn csv(files: &str, csv: Csv) -> Result<Dataset> {
        // Types and defaults that cannot work are told here, not at the first element.
        for c in &csv.columns {
            Column::new(&c.name, 0, c.dtype, c.default.as_deref())?;
        }
        Ok(Dataset::new(Files::new(csv, resolve(files)?)))
    }
}

impl Format for Csv {
    fn describe(&self) -> String {
        let columns: Vec<String> =
            self.columns.iter().map(|c| format!("{} {}", c.name, c.dtype)).collect();
        format!("csv({})", columns.join(", "))
    }

    fn schema(&self) -> Option<Schema> {
        let fields = self.columns.iter().map(|c| Field::new(&c.name, c.dtype, &[]));
        (!self.columns.is_empty()).then(|| Schema { fields: fields.collect() })
    }

    fn open(&self, file: &FileRef, _: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| self.decoder(file, mark))
    }
}

impl Csv {
    fn decoder(&self, file: &FileRef, mark: Option<&State>) -> Result<CsvDecoder> {
        let compression = Compression::Auto.of(file)?;
        let mut reader = self.reader(compression.open(file)?, self.header);
        let mut record = csv::ByteRecord::new();
        let mut pending = false;
        let names: Vec<String> = if self.header {
            let header = reader.byte_headers().map_err(|e| csv_error(&e))?;
            header.iter().map(|n| String::from_utf8_lossy(n).trim().to_owned()).collect()
        } else {
            pending = reader.read_byte_record(&mut record).map_err(|e| csv_error(&e))?;
            (0..record.len()).map(|i| i.to_string()).collect()
        };
        // An empty file without a header has no records, and nothing to find columns in.
        let empty = !self.header && !pending;
        let columns = if empty { Vec::new() } else { self.choose(&names)? };
        let mut decoder = CsvDecoder {
            names: Names::new(columns.iter().map(|c| c.name())),
            columns,
            fields: names.len(),
            reader,
            record,
            pending,
            base: (0, 1),
            from: (0, 1),
            failed: None,
            ended: empty,
        };
        decoder.from = decoder.place();
        if let Some(mark) = mark {
            let [byte, line] = mark.expect()?;
            decoder.reader = self.reader(compression.open_from(file, byte)?, false);
            decoder.pending = false;
            decoder.base = (byte, line);
            decoder.from = (byte, line);
        }
        Ok(decoder)
    }
}

struct CsvDecoder {
    names: Names,
    columns: Vec<Column>,
    /// Fields every record must have.
    fields: usize,
    reader: Reader,
    record: csv::ByteRecord,
    /// `record` was read to count its fields and not used yet.
    pending: bool,
    /// Byte and line at which `reader` was started.
    base: (u64, u64),
    /// Byte and line of the next record to decode.
    from: (u64, u64),
    failed: Option<Status>,
    ended: bool,
}

impl CsvDecoder {
    /// Byte and line behind the record read last.
    fn place(&self) -> (u64, u64) {
        if self.pending {
            return self.base;
        }
        let position = self.reader.position();
        (self.base.0 + position.byte(), self.base.1 + position.line() - 1)
    }

    /// Reads a record; false at the end.
    fn read(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.pending) {
            return Ok(true);
        }
        self.reader.read_byte_record(&mut self.record).map_err(|e| csv_error(&e))
    }

    fn parse(&mut self) -> Result<()> {
        if self.record.len() != self.fields {
            return Err(Status::invalid_argument(format!(
                "{} fields, but {} were expected",
                self.record.len(),
                self.fields
            )));
        }
        for column in &mut self.columns {
            column.push(self.record.get(column.place()).unwrap_or_default())?;
        }
        Ok(())
    }
}

fn csv_error(error: &csv::Error) -> Status {
    match error.kind() {
        csv::ErrorKind::Io(error) => crate::storage::read_error(error),
        _ => Status::data_loss(format!("cannot read: {error}")),
    }
}

impl Decoder for CsvDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        if let Some(error) = self.failed.take() {
            self.from = self.place();
            return Err(error);
        }
        let mut rows = 0;
        while !self.ended && rows < RECORDS {
            let read = self.read();
            // The reader may have passed empty lines: the record knows where it began.
            let line = self.base.1 + self.record.position().map_or(1, |p| p.line()) - 1;
            let parsed = match read {
                Ok(true) => self.parse().map_err(|e| e.context(format_args!("line {line}"))),
                Ok(false) => {
                    self.ended = true;
                    break;
                }
                // Nothing can be read behind a hole.
                Err(error) => {
                    self.ended = true;
                    Err(error)
                }
            };
            if let Err(error) = parsed {
                self.columns.iter_mut().for_each(|c| c.truncate(rows));
                if rows == 0 {
                    self.from = self.place();
                    return Err(error);
                }
                self.failed = Some(error);
                break;
            }
            rows += 1;
            self.from = self.place();
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = self.columns.iter_mut().map(|c| c.finish()).collect::<Result<_>>()?;
        Block::from_columns(self.names.clone(), rows, columns).map(Some)
    }

    fn mark(&self) -> State {
        State::of([self.from.0, self.from.1])
    }
}

#[cfg(test)]
mod tests;
