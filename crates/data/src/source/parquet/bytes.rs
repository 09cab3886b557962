//! A Parquet file's bytes as the library wants to read them.

use std::io::{Cursor, Read};

use downpour_tensor::{Bytes, Result, Status};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};

use crate::storage::FileRef;

/// The whole file, for its footer.
pub(super) struct Footer {
    file: FileRef,
    size: u64,
}

impl Footer {
    pub fn new(file: &FileRef) -> Result<Footer> {
        Ok(Footer { file: file.clone(), size: file.size()? })
    }

    pub fn size(&self) -> u64 {
        self.size
    }
}

impl Length for Footer {
    fn len(&self) -> u64 {
        self.size
    }
}

fn external(error: Status) -> ParquetError {
    ParquetError::External(Box::new(error))
}

impl ChunkReader for Footer {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        self.file.open_at(start).map_err(external)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        if start.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at {start} are outside of the file's {}",
                self.size
            )));
        }
        self.file.read(start, length).map_err(external)
    }
}

/// The chosen columns' bytes of one row group.
pub(super) struct Group {
    size: u64,
    /// Where each column begins, and its bytes.
    columns: Vec<(u64, Bytes)>,
}

impl Group {
    pub fn read(
        file: &FileRef,
        size: u64,
        group: &RowGroupMetaData,
        chosen: &[usize],
    ) -> Result<Group> {
        let mut columns = Vec::with_capacity(chosen.len());
        for &place in chosen {
            let (start, length) = group.column(place).byte_range();
            if start.checked_add(length).is_none_or(|end| end > size) {
                return Err(Status::data_loss(format!(
                    "the Parquet file is damaged: {length} bytes of a column at {start} are outside of its {size}"
                )));
            }
            columns.push((start, file.read(start, length as usize)?));
        }
        Ok(Group { size, columns })
    }

    fn slice(&self, start: u64, length: Option<usize>) -> Result<Bytes, ParquetError> {
        for (first, bytes) in &self.columns {
            let Some(offset) = start.checked_sub(*first).map(|o| o as usize) else { continue };
            let end = length.map_or(Some(bytes.len()), |l| offset.checked_add(l));
            if let Some(end) = end.filter(|&end| end <= bytes.len() && offset <= end)
                && (offset < bytes.len() || length == Some(0))
            {
                return Ok(bytes.slice(offset..end));
            }
        }
        Err(ParquetError::EOF(format!("byte {start} belongs to no column that is read")))
    }
}

impl Length for Group {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Group {
    type T = Cursor<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        self.slice(start, None).map(Cursor::new)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.slice(start, Some(length))
    }
}
