//! Parquet files: chosen columns of row group after row group, decoded straight into tensors.
//!
//! Of a row group only the chosen columns' bytes are read, all at once; they are decoded some
//! thousand rows at a time. A position is a row group and a row within it.

mod bytes;
mod column;

use std::sync::Arc;

use downpour_tensor::{Result, Status, Tensor};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use crate::block::Block;
use crate::decoder::{Decoder, DecoderCursor};
use crate::position::{State, malformed};
use crate::source::files::{Files, Format};
use crate::stage::Cursor;
use crate::storage::{FileRef, resolve};
use crate::transform::map::guarded;
use crate::{Dataset, Names};
use bytes::{Footer, Group};
use column::{Column, Decoded};

/// Rows decoded at once.
const ROWS: usize = 8192;

/// What becomes of missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nulls {
    /// They are an error that says where.
    #[default]
    Refuse,
    /// They become NaN, 0, false or the empty string.
    Fill,
}

/// How Parquet files are read.
///
/// Numbers and booleans keep their types, byte arrays become strings, lists become vectors. Each row
/// is an element with a tensor per column; fields of groups are called `group.field`.
#[derive(Clone, Debug, Default)]
pub struct Parquet {
    columns: Option<Vec<String>>,
    nulls: Nulls,
    shard: Option<(u64, u64)>,
}

impl Parquet {
    /// All columns, every row group; missing values are errors.
    pub fn new() -> Parquet {
        Parquet::default()
    }

    /// Only these columns, in this order. The others are not read.
    pub fn columns<I: IntoIterator<Item: Into<String>>>(mut self, names: I) -> Parquet {
        self.columns = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// What becomes of missing values.
    pub fn nulls(mut self, nulls: Nulls) -> Parquet {
        self.nulls = nulls;
        self
    }

    /// Only the row groups of one of `count` disjoint parts. Nothing of the others is read, unlike
    /// with [`Dataset::shard`]; but the parts are only as equal as the row groups are.
    pub fn shard(mut self, count: u64, index: u64) -> Parquet {
        self.shard = Some((count, index));
        self
    }
}

impl Dataset {
    /// The rows of Parquet files: paths, globs or URLs.
    pub fn parquet(files: &str, parquet: Parquet) -> Result<Dataset> {
        if let Some((count, index)) = parquet.shard.filter(|(count, index)| index >= count) {
            return Err(Status::invalid_argument(format!(
                "shard {index} of {count} does not exist; indices are 0..{count}"
            )));
        }
        Ok(Dataset::new(Files::new(parquet, resolve(files)?)))
    }
}

impl Format for Parquet {
    fn describe(&self) -> String {
        let columns = self.columns.as_ref().map_or("all".to_owned(), |c| c.join(", "));
        match self.shard {
            Some((count, index)) => format!("parquet({columns}; shard {index} of {count})"),
            None => format!("parquet({columns})"),
        }
    }

    fn open(&self, file: &FileRef, index: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| self.decoder(file, index, mark))
    }
}

impl Parquet {
    fn decoder(
        &self,
        file: &FileRef,
        index: usize,
        mark: Option<&State>,
    ) -> Result<ParquetDecoder> {
        let footer = Footer::new(file)?;
        let metadata = checked(|| {
            ParquetMetaDataReader::new().parse_and_finish(&footer).map_err(|e| damaged(&e))
        })?;
        let columns =
            checked(|| column::choose(metadata.file_metadata(), self.columns.as_deref()))?;
        let groups = (0..metadata.num_row_groups()).filter(|&g| match self.shard {
            // Files of one row group each are dealt out too.
            Some((count, part)) => (g as u64 + index as u64) % count == part,
            None => true,
        });
        let mut decoder = ParquetDecoder {
            file: file.clone(),
            size: footer.size(),
            groups: groups.collect(),
            metadata: Arc::new(metadata),
            names: Names::new(columns.iter().map(|c| c.name.as_str())),
            columns,
            nulls: self.nulls,
            next: 0,
            row: 0,
            open: None,
        };
        if let Some(mark) = mark {
            let [next, row] = mark.expect()?;
            decoder.next = usize::try_from(next).map_err(|_| malformed())?;
            if row > 0 {
                decoder.open_group()?;
                decoder.pass_over(usize::try_from(row).map_err(|_| malformed())?)?;
            }
        }
        Ok(decoder)
    }
}

/// The library asserts some of what it reads; in a damaged file that is an error like others.
fn checked<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    guarded("a Parquet file", read).map_err(|e| match e.code() {
        downpour_tensor::Code::Internal => {
            Status::data_loss(format!("the Parquet file is damaged: {}", e.message()))
        }
        _ => e,
    })
}

fn damaged(error: &parquet::errors::ParquetError) -> Status {
    use parquet::errors::ParquetError::*;
    match error {
        NYI(what) => Status::unimplemented(format!("the Parquet file cannot be read: {what}")),
        other => Status::data_loss(format!("the Parquet file is damaged: {other}")),
    }
}

struct ParquetDecoder {
    file: FileRef,
    size: u64,
    metadata: Arc<ParquetMetaData>,
    /// The row groups to read, and which is next; `row` is the row within it.
    groups: Vec<usize>,
    next: usize,
    row: usize,
    columns: Vec<Column>,
    names: Names,
    nulls: Nulls,
    /// Readers of the current row group's columns, and its number of rows.
    open: Option<(Vec<column::Reader>, usize)>,
}

impl ParquetDecoder {
    /// Opens the next row group; false when there is none.
    fn open_group(&mut self) -> Result<bool> {
        let Some(&number) = self.groups.get(self.next) else { return Ok(false) };
        let metadata = self.metadata.clone();
        self.open = Some(checked(|| {
            let group = metadata.row_group(number);
            let rows = usize::try_from(group.num_rows()).map_err(|_| {
                Status::data_loss(format!("row group {number} claims {} rows", group.num_rows()))
            })?;
            let chosen: Vec<usize> = self.columns.iter().map(|c| c.place).collect();
            let bytes = Arc::new(Group::read(&self.file, self.size, group, &chosen)?);
            let readers = self.columns.iter().map(|c| c.reader(&bytes, group, rows));
            Ok((readers.collect::<Result<_>>()?, rows))
        })?);
        Ok(true)
    }

    fn pass_over(&mut self, rows: usize) -> Result<()> {
        let Some((readers, all)) = &mut self.open else { return Err(malformed()) };
        if rows > *all {
            return Err(malformed());
        }
        checked(|| readers.iter_mut().try_for_each(|r| r.skip(rows)))?;
        self.row = rows;
        Ok(())
    }

    fn read(&mut self, count: usize) -> Result<Block> {
        let Some((readers, _)) = &mut self.open else {
            return Err(Status::internal("no row group is open"));
        };
        let mut decoded = Vec::with_capacity(readers.len());
        for (reader, column) in readers.iter_mut().zip(&self.columns) {
            decoded.push(column.decode(reader, count, self.nulls)?);
        }
        let uniform = |d: &Decoded| matches!(d, Decoded::Uniform(_));
        if decoded.iter().all(uniform) {
            let columns = decoded.into_iter().filter_map(|d| match d {
                Decoded::Uniform(tensor) => Some(tensor),
                Decoded::Ragged(_) => None,
            });
            return Block::from_columns(self.names.clone(), count, columns.collect());
        }
        let mut rows: Vec<Vec<Tensor>> = vec![Vec::with_capacity(self.columns.len()); count];
        for column in decoded {
            match column {
                Decoded::Ragged(tensors) => {
                    rows.iter_mut().zip(tensors).for_each(|(row, tensor)| row.push(tensor));
                }
                Decoded::Uniform(tensor) => {
                    for (i, row) in rows.iter_mut().enumerate() {
                        row.push(crate::rows::row(&tensor, i)?);
                    }
                }
            }
        }
        Ok(Block::of_list(self.names.clone(), rows))
    }
}

impl Decoder for ParquetDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        loop {
            let number = self.groups.get(self.next).copied().unwrap_or_default();
            let group = |error: Status| error.context(format_args!("row group {number}"));
            if self.open.is_none() {
                match self.open_group() {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(error) => {
                        self.next += 1;
                        return Err(group(error));
                    }
                }
            }
            let rows = self.open.as_ref().map_or(0, |(_, rows)| *rows);
            let (first, count) = (self.row, ROWS.min(rows - self.row));
            let block = match count {
                0 => None,
                _ => Some(checked(|| self.read(count))),
            };
            self.row += count;
            // The rest of a row group with a damaged page is lost; the next one has its own pages.
            if self.row == rows || matches!(block, Some(Err(_))) {
                self.open = None;
                self.next += 1;
                self.row = 0;
            }
            if let Some(block) = block {
                let rows = format_args!("rows {first}..{}", first + count).to_string();
                return block.map(Some).map_err(|e| group(e.context(rows)));
            }
        }
    }

    fn mark(&self) -> State {
        State::of([self.next as u64, self.row as u64])
    }
}

#[cfg(test)]
mod tests;
