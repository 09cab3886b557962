//! IDX files (MNIST's format), plain or compressed.
//!
//! Two zero bytes, a type, the number of axes, a big-endian u32 per axis, then the values, big-endian.
//! The first axis counts the elements.

use std::io::Read;

use downpour_tensor::{DataType, Result, Shape, Status, Tensor, checked_elements};

use crate::decoder::{Decoder, DecoderCursor};
use crate::position::{State, malformed};
use crate::rows::{with_rows, writable};
use crate::source::files::{Files, Format};
use crate::stage::Cursor;
use crate::storage::{Compression, FileRef, resolve};
use crate::{Block, Dataset, Names};

/// Reads this much at once.
const CHUNK_BYTES: usize = 512 << 10;

struct Idx {
    names: Names,
}

impl Dataset {
    /// The elements of IDX files: paths, globs or URLs; `.gz` files are unpacked on the way. Each
    /// element is one tensor called `name`.
    pub fn idx(files: &str, name: &str) -> Result<Dataset> {
        Ok(Dataset::new(Files::new(Idx { names: Names::new([name]) }, resolve(files)?)))
    }
}

impl Format for Idx {
    fn describe(&self) -> String {
        "idx".to_owned()
    }

    fn open(&self, file: &FileRef, _: usize, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        DecoderCursor::open(state, |mark| self.decoder(file, mark))
    }
}

impl Idx {
    fn decoder(&self, file: &FileRef, mark: Option<&State>) -> Result<IdxDecoder> {
        let compression = Compression::Auto.of(file)?;
        let mut input = compression.open(file)?;
        let header = Header::read(&mut input)?;
        let names = self.names.clone();
        let mut decoder = IdxDecoder { input, header, names, row: 0 };
        let Some(mark) = mark else { return Ok(decoder) };
        let [row] = mark.expect()?;
        if row > decoder.header.rows {
            return Err(malformed());
        }
        if compression == Compression::None {
            let start = decoder.header.bytes as u64 + row * decoder.header.row_bytes as u64;
            decoder.input = file.open_at(start)?;
            decoder.row = row;
        } else {
            while decoder.row < row {
                let count = decoder.per_chunk().min((row - decoder.row) as usize);
                decoder.read(count)?;
            }
        }
        Ok(decoder)
    }
}

/// What stands in front of the values.
struct Header {
    dtype: DataType,
    rows: u64,
    row: Shape,
    row_bytes: usize,
    bytes: usize,
}

impl Header {
    fn read(input: &mut impl Read) -> Result<Header> {
        let mut start = [0u8; 4];
        input.read_exact(&mut start).map_err(|e| short("its first four bytes", &e))?;
        let dtype = match start {
            [0, 0, 0x08, _] => DataType::UInt8,
            [0, 0, 0x09, _] => DataType::Int8,
            [0, 0, 0x0b, _] => DataType::Int16,
            [0, 0, 0x0c, _] => DataType::Int32,
            [0, 0, 0x0d, _] => DataType::Float,
            [0, 0, 0x0e, _] => DataType::Double,
            _ => {
                return Err(Status::data_loss(format!(
                    "not an IDX file: it begins with {start:02x?}, not with two zeros and a known type (08, 09, 0b..0e)"
                )));
            }
        };
        let axes = usize::from(start[3]);
        if axes == 0 {
            return Err(Status::data_loss("an IDX file without axes has no elements to count"));
        }
        let mut sizes = vec![0u8; axes * 4];
        input.read_exact(&mut sizes).map_err(|e| short("its sizes", &e))?;
        let sizes: Vec<usize> = sizes
            .chunks_exact(4)
            .map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize)
            .collect();
        let row_bytes = checked_elements(&sizes[1..])?.checked_mul(dtype.size());
        let row_bytes = row_bytes.filter(|&b| b <= isize::MAX as usize).ok_or_else(|| {
            Status::data_loss(format!(
                "an IDX file's elements cannot have the shape {:?}",
                &sizes[1..]
            ))
        })?;
        Ok(Header {
            dtype,
            rows: sizes[0] as u64,
            row: Shape::new(&sizes[1..]),
            row_bytes,
            bytes: 4 + axes * 4,
        })
    }
}

fn short(what: &str, error: &std::io::Error) -> Status {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            Status::data_loss(format!("the IDX file ends within {what}; it is truncated"))
        }
        _ => crate::storage::read_error(error),
    }
}

struct IdxDecoder {
    input: Box<dyn Read + Send>,
    header: Header,
    names: Names,
    /// Elements read.
    row: u64,
}

impl IdxDecoder {
    fn per_chunk(&self) -> usize {
        let wanted = (CHUNK_BYTES / self.header.row_bytes.max(1)).max(1) as u64;
        wanted.min(self.header.rows - self.row) as usize
    }

    fn read(&mut self, count: usize) -> Result<Block> {
        let header = &self.header;
        let mut column = Tensor::new(header.dtype, with_rows(count, &header.row))?;
        let bytes = writable(&mut column)?;
        if let Err(error) = self.input.read_exact(bytes) {
            let (first, rows) = (self.row, header.rows);
            // Nothing can be read behind a hole.
            self.row = rows;
            let end = first + count as u64;
            let what = format!("elements {first}..{end} of the {rows} its header promises");
            return Err(short(&what, &error));
        }
        to_native(header.dtype.size(), bytes);
        self.row += count as u64;
        Block::from_columns(self.names.clone(), count, vec![column])
    }
}

impl Decoder for IdxDecoder {
    fn decode(&mut self) -> Result<Option<Block>> {
        match self.per_chunk() {
            0 => Ok(None),
            count => self.read(count).map(Some),
        }
    }

    fn mark(&self) -> State {
        State::of([self.row])
    }
}

/// Big-endian values become the machine's.
fn to_native(size: usize, bytes: &mut [u8]) {
    if size > 1 && cfg!(target_endian = "little") {
        bytes.chunks_exact_mut(size).for_each(|value| value.reverse());
    }
}

#[cfg(test)]
mod tests;
