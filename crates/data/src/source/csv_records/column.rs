//! One column on its way from text to a tensor.

use downpour_formats::text_number::{float, integer};
use downpour_tensor::{ByteString, Element, Result, Status, Tensor, excerpt};

use super::CsvColumn;

pub(super) enum Column {
    Float(Numbers<f32>),
    Double(Numbers<f64>),
    Int32(Numbers<i32>),
    Int64(Numbers<i64>),
    Text(Texts),
}

pub(super) struct Numbers<T> {
    default: Option<T>,
    values: Vec<T>,
}

/// All texts of a block lie in one allocation.
pub(super) struct Texts {
    default: Option<ByteString>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Column {
    pub fn new(column: &CsvColumn) -> Column {
        fn numbers<T: Copy>(default: &Option<T>) -> Numbers<T> {
            Numbers { default: *default, values: Vec::new() }
        }
        match column {
            CsvColumn::Float(default) => Column::Float(numbers(default)),
            CsvColumn::Double(default) => Column::Double(numbers(default)),
            CsvColumn::Int32(default) => Column::Int32(numbers(default)),
            CsvColumn::Int64(default) => Column::Int64(numbers(default)),
            CsvColumn::Text(default) => Column::Text(Texts {
                default: default.clone(),
                bytes: Vec::new(),
                ends: Vec::new(),
            }),
        }
    }

    /// Appends a field, or the default where there is none; errors call the column `number`.
    pub fn push(&mut self, number: usize, field: Option<&[u8]>) -> Result<()> {
        match self {
            Column::Float(column) => column.push(number, field, float),
            Column::Double(column) => column.push(number, field, float),
            Column::Int32(column) => column.push(number, field, integer),
            Column::Int64(column) => column.push(number, field, integer),
            Column::Text(texts) => texts.push(number, field),
        }
    }

    pub fn truncate(&mut self, rows: usize) {
        match self {
            Column::Float(column) => column.values.truncate(rows),
            Column::Double(column) => column.values.truncate(rows),
            Column::Int32(column) => column.values.truncate(rows),
            Column::Int64(column) => column.values.truncate(rows),
            Column::Text(texts) => {
                texts.ends.truncate(rows);
                texts.bytes.truncate(texts.ends.last().copied().unwrap_or(0));
            }
        }
    }

    /// Returns the values as a tensor; the column is empty then.
    pub fn finish(&mut self) -> Result<Tensor> {
        match self {
            Column::Float(column) => column.finish(),
            Column::Double(column) => column.finish(),
            Column::Int32(column) => column.finish(),
            Column::Int64(column) => column.finish(),
            Column::Text(texts) => texts.finish(),
        }
    }
}

impl<T: Element> Numbers<T> {
    fn push(
        &mut self,
        number: usize,
        field: Option<&[u8]>,
        read: fn(&[u8]) -> Option<T>,
    ) -> Result<()> {
        let value = match field {
            Some(field) => read(field).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Field {number} in record is not a valid {}: {}",
                    T::DTYPE,
                    excerpt(field)
                ))
            })?,
            None => self.default.ok_or_else(|| required(number))?,
        };
        self.values.push(value);
        Ok(())
    }

    fn finish(&mut self) -> Result<Tensor> {
        let values = std::mem::take(&mut self.values);
        self.values.reserve(values.len());
        Tensor::from_vec([values.len()], values)
    }
}

impl Texts {
    fn push(&mut self, number: usize, field: Option<&[u8]>) -> Result<()> {
        match (field, &self.default) {
            (Some(field), _) => self.bytes.extend_from_slice(field),
            (None, Some(default)) => self.bytes.extend_from_slice(default),
            (None, None) => return Err(required(number)),
        }
        self.ends.push(self.bytes.len());
        Ok(())
    }

    fn finish(&mut self) -> Result<Tensor> {
        let bytes = ByteString::from_vec(std::mem::take(&mut self.bytes))?;
        let ends = std::mem::take(&mut self.ends);
        let mut start = 0;
        let texts = ends.iter().map(|&end| bytes.slice(std::mem::replace(&mut start, end)..end));
        Tensor::from_strings([ends.len()], texts.collect())
    }
}

fn required(number: usize) -> Status {
    Status::invalid_argument(format!("Field {number} is required but missing in record!"))
}
