//! One column of a Parquet file: its values, levels and the tensors they become.

use std::sync::Arc;

use downpour_tensor::{ByteString, Element, Result, Shape, Status, Tensor, f16};
use parquet::basic::{ConvertedType, Repetition};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::file::metadata::{FileMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescPtr, Type};

use super::bytes::Group;
use super::{Nulls, damaged};
use crate::rows::with_rows;

/// A column to read.
pub(super) struct Column {
    pub name: String,
    pub place: usize,
    descriptor: ColumnDescPtr,
    /// For lists: the definition level from which on an entry is there.
    entry_level: i16,
}

/// A column's values for some rows.
pub(super) enum Decoded {
    /// A tensor with a row per row.
    Uniform(Tensor),
    /// A tensor per row: lists of different lengths.
    Ragged(Vec<Tensor>),
}

/// For lists, how many values each row has.
type Lengths = Option<Vec<usize>>;

/// The columns of these names, or all.
pub(super) fn choose(file: &FileMetaData, names: Option<&[String]>) -> Result<Vec<Column>> {
    let schema = file.schema_descr();
    let mut all = Vec::with_capacity(schema.num_columns());
    for (place, descriptor) in schema.columns().iter().enumerate() {
        let list = descriptor.max_rep_level() > 0;
        // A list's leaf is called `a.list.element`; the list is `a`.
        let name = match list {
            true => schema.get_column_root(place).name().to_owned(),
            false => descriptor.path().string(),
        };
        let entry_level = entry_level(schema.get_column_root(place), descriptor.path().parts());
        all.push(Column { name, place, descriptor: descriptor.clone(), entry_level });
    }
    let chosen = match names {
        None => all,
        Some(names) => {
            let present: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
            let mut places = Vec::with_capacity(names.len());
            for name in names {
                places.push(present.iter().position(|n| n == name).ok_or_else(|| {
                    Status::not_found(format!(
                        "there is no column {name:?}; the file has {}",
                        present.join(", ")
                    ))
                })?);
            }
            let mut all: Vec<Option<Column>> = all.into_iter().map(Some).collect();
            let taken = places.iter().map(|&p| all.get_mut(p).and_then(Option::take));
            taken.collect::<Option<_>>().ok_or_else(|| {
                Status::invalid_argument("a column is asked for twice; name each once")
            })?
        }
    };
    if let Some(deep) = chosen.iter().find(|c| c.descriptor.max_rep_level() > 1) {
        return Err(Status::unimplemented(format!(
            "the column {:?} is a list of lists or a map; leave it out by naming the columns to read",
            deep.name
        )));
    }
    Ok(chosen)
}

/// The definition level of the repeated node on the way to a leaf.
fn entry_level(root: &Type, path: &[String]) -> i16 {
    let (mut node, mut level) = (root, 0);
    for depth in 0..path.len() {
        match node.get_basic_info().repetition() {
            Repetition::REQUIRED => {}
            Repetition::OPTIONAL => level += 1,
            Repetition::REPEATED => return level + 1,
        }
        let Some(name) = path.get(depth + 1).filter(|_| node.is_group()) else { break };
        match node.get_fields().iter().find(|f| f.name() == name) {
            Some(field) => node = field,
            None => break,
        }
    }
    level
}

/// Reads one column of one row group.
pub(super) struct Reader(ColumnReader);

macro_rules! each_kind {
    ($reader:expr, $r:ident => $body:expr) => {
        match $reader {
            ColumnReader::BoolColumnReader($r) => $body,
            ColumnReader::Int32ColumnReader($r) => $body,
            ColumnReader::Int64ColumnReader($r) => $body,
            ColumnReader::Int96ColumnReader($r) => $body,
            ColumnReader::FloatColumnReader($r) => $body,
            ColumnReader::DoubleColumnReader($r) => $body,
            ColumnReader::ByteArrayColumnReader($r) => $body,
            ColumnReader::FixedLenByteArrayColumnReader($r) => $body,
        }
    };
}

impl Reader {
    pub fn skip(&mut self, rows: usize) -> Result<()> {
        let skipped =
            each_kind!(&mut self.0, r => r.skip_records(rows)).map_err(|e| damaged(&e))?;
        if skipped == rows { Ok(()) } else { Err(short(rows, skipped)) }
    }
}

fn short(expected: usize, got: usize) -> Status {
    Status::data_loss(format!(
        "the Parquet file is damaged: a column has {got} values where {expected} were promised"
    ))
}

impl Column {
    pub fn reader(
        &self,
        bytes: &Arc<Group>,
        group: &RowGroupMetaData,
        rows: usize,
    ) -> Result<Reader> {
        let chunk = group.column(self.place);
        let pages = SerializedPageReader::new(bytes.clone(), chunk, rows, None);
        let pages = Box::new(pages.map_err(|e| damaged(&e))?);
        Ok(Reader(get_column_reader(self.descriptor.clone(), pages)))
    }

    /// The next `rows` values.
    pub fn decode(&self, reader: &mut Reader, rows: usize, nulls: Nulls) -> Result<Decoded> {
        let unsigned = |c: ConvertedType| self.descriptor.converted_type() == c;
        let done = match &mut reader.0 {
            ColumnReader::BoolColumnReader(r) => self.plain(r, rows, nulls, false, |v| v),
            ColumnReader::Int32ColumnReader(r) if unsigned(ConvertedType::UINT_32) => {
                self.plain(r, rows, nulls, 0, |v| v as u32)
            }
            ColumnReader::Int32ColumnReader(r) => self.plain(r, rows, nulls, 0, |v| v),
            ColumnReader::Int64ColumnReader(r) if unsigned(ConvertedType::UINT_64) => {
                self.plain(r, rows, nulls, 0, |v| v as u64)
            }
            ColumnReader::Int64ColumnReader(r) => self.plain(r, rows, nulls, 0, |v| v),
            ColumnReader::Int96ColumnReader(r) => {
                self.plain(r, rows, nulls, Int96::new(), |v| v.to_nanos())
            }
            ColumnReader::FloatColumnReader(r) => self.plain(r, rows, nulls, f32::NAN, |v| v),
            ColumnReader::DoubleColumnReader(r) => self.plain(r, rows, nulls, f64::NAN, |v| v),
            ColumnReader::ByteArrayColumnReader(r) => {
                let (values, lengths) = self.values(r, rows, nulls, ByteArray::from(Vec::new()))?;
                self.shaped(strings(&values, |v| v.data())?, rows, lengths)
            }
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                let half = self.descriptor.logical_type_ref()
                    == Some(&parquet::basic::LogicalType::Float16);
                let width = usize::try_from(self.descriptor.type_length()).unwrap_or(0);
                let empty = match (half, nulls) {
                    (true, _) => f16::NAN.to_le_bytes().to_vec(),
                    (false, _) => vec![0; width],
                };
                let null = FixedLenByteArray::from(empty);
                let (values, lengths) = self.values(r, rows, nulls, null)?;
                let tensor = match half {
                    true => Tensor::vector(&values.iter().map(to_half).collect::<Vec<_>>()),
                    false => strings(&values, |v| v.data()),
                };
                self.shaped(tensor?, rows, lengths)
            }
        };
        done.map_err(|e| e.context(format_args!("column {:?}", self.name)))
    }

    fn plain<T: DataType, O: Element>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
        nulls: Nulls,
        null: T::T,
        convert: impl Fn(T::T) -> O,
    ) -> Result<Decoded> {
        let (values, lengths) = self.values(reader, rows, nulls, null)?;
        let tensor = Tensor::build([values.len()], |out: &mut [O]| {
            out.iter_mut().zip(values).for_each(|(o, v)| *o = convert(v));
        })?;
        self.shaped(tensor, rows, lengths)
    }

    /// The values of `rows` rows, and for lists the length of each.
    fn values<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
        nulls: Nulls,
        null: T::T,
    ) -> Result<(Vec<T::T>, Lengths)> {
        let mut values = Vec::with_capacity(rows);
        let (mut defined, mut repeated) = (Vec::new(), Vec::new());
        let read = reader.read_records(rows, Some(&mut defined), Some(&mut repeated), &mut values);
        let (got, _, levels) = read.map_err(|e| damaged(&e))?;
        if got != rows {
            return Err(short(rows, got));
        }
        let full = self.descriptor.max_def_level();
        let list = self.descriptor.max_rep_level() > 0;
        if full == 0 || !list && values.len() == levels {
            return Ok((values, None));
        }
        let mut lengths = list.then(|| Vec::with_capacity(rows));
        let entry = if list { self.entry_level } else { 0 };
        let mut present = values.into_iter();
        let mut out = Vec::with_capacity(levels);
        for (i, &level) in defined.iter().enumerate() {
            if let Some(lengths) = &mut lengths {
                if repeated.get(i) == Some(&0) {
                    lengths.push(0);
                }
                if level < entry {
                    continue;
                }
                if let Some(last) = lengths.last_mut() {
                    *last += 1;
                }
            }
            match level == full {
                true => out.push(present.next().ok_or_else(|| short(levels, i))?),
                false if nulls == Nulls::Refuse => return Err(self.missing(i)),
                false => out.push(null.clone()),
            }
        }
        if lengths.as_ref().is_some_and(|l| l.len() != rows) {
            return Err(short(rows, lengths.map_or(0, |l| l.len())));
        }
        Ok((out, lengths))
    }

    fn missing(&self, value: usize) -> Status {
        Status::invalid_argument(format!(
            "value {value} of these is missing; read with Nulls::Fill to have NaN, 0 or an empty string instead"
        ))
    }

    /// The values with a row per row.
    fn shaped(&self, values: Tensor, rows: usize, lengths: Lengths) -> Result<Decoded> {
        let Some(lengths) = lengths else { return Ok(Decoded::Uniform(values)) };
        let first = lengths.first().copied().unwrap_or(0);
        if lengths.iter().all(|&l| l == first) {
            return values.into_shape(with_rows(rows, &[first])).map(Decoded::Uniform);
        }
        let mut start = 0;
        let cut = lengths.iter().map(|&length| {
            let end = start + length;
            values.rows(std::mem::replace(&mut start, end), end)
        });
        cut.collect::<Result<_>>().map(Decoded::Ragged)
    }
}

fn to_half(value: &FixedLenByteArray) -> f16 {
    match value.data() {
        &[low, high] => f16::from_le_bytes([low, high]),
        _ => f16::NAN,
    }
}

/// Strings that lie behind each other in one allocation.
fn strings<T>(values: &[T], data: impl Fn(&T) -> &[u8]) -> Result<Tensor> {
    let bytes = ByteString::joined(values.iter().map(&data), b"")?;
    let mut start = 0;
    Tensor::build_strings(Shape::new(&[values.len()]), |i| {
        let end = start + data(&values[i]).len();
        Ok(bytes.slice(std::mem::replace(&mut start, end)..end))
    })
}
