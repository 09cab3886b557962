//! One column of a CSV file on its way from text to a tensor.

use std::str::FromStr;

use downpour_tensor::{ByteString, CountedVec, DataType, Result, Status, Tensor};

pub(super) struct Column {
    name: String,
    place: usize,
    default: Option<String>,
    values: Values,
}

enum Values {
    Float(Vec<f32>),
    Double(Vec<f64>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    UInt8(Vec<u8>),
    Bool(Vec<bool>),
    String(CountedVec<ByteString>),
}

impl Column {
    pub fn new(name: &str, place: usize, dtype: DataType, default: Option<&str>) -> Result<Column> {
        let values = match dtype {
            DataType::Float => Values::Float(Vec::new()),
            DataType::Double => Values::Double(Vec::new()),
            DataType::Int32 => Values::Int32(Vec::new()),
            DataType::Int64 => Values::Int64(Vec::new()),
            DataType::UInt8 => Values::UInt8(Vec::new()),
            DataType::Bool => Values::Bool(Vec::new()),
            DataType::String => Values::String(CountedVec::new()),
            other => {
                return Err(Status::invalid_argument(format!(
                    "the CSV column {name:?} cannot be read as {other}; \
                     use float, double, int32, int64, uint8, bool or string, and cast"
                )));
            }
        };
        let mut column = Column { name: name.to_owned(), place, default: None, values };
        if let Some(default) = default {
            column.push(default.as_bytes()).map_err(|e| e.context("the default of"))?;
            column.truncate(0);
            column.default = Some(default.to_owned());
        }
        Ok(column)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn place(&self) -> usize {
        self.place
    }

    /// One more value.
    pub fn push(&mut self, field: &[u8]) -> Result<()> {
        let name = &self.name;
        let default = self.default.as_deref().filter(|_| field.is_empty());
        let field = default.map_or(field, str::as_bytes);
        match &mut self.values {
            Values::Float(v) => v.push(number(name, "float", field)?),
            Values::Double(v) => v.push(number(name, "double", field)?),
            Values::Int32(v) => v.push(number(name, "int32", field)?),
            Values::Int64(v) => v.push(number(name, "int64", field)?),
            Values::UInt8(v) => v.push(number(name, "uint8", field)?),
            Values::Bool(v) => v.push(match field.trim_ascii() {
                b"1" | b"true" | b"True" | b"TRUE" => true,
                b"0" | b"false" | b"False" | b"FALSE" => false,
                _ => return Err(wrong(name, "bool", field)),
            }),
            Values::String(v) => v.push(ByteString::copy_from(field)?)?,
        }
        Ok(())
    }

    pub fn truncate(&mut self, rows: usize) {
        match &mut self.values {
            Values::Float(v) => v.truncate(rows),
            Values::Double(v) => v.truncate(rows),
            Values::Int32(v) => v.truncate(rows),
            Values::Int64(v) => v.truncate(rows),
            Values::UInt8(v) => v.truncate(rows),
            Values::Bool(v) => v.truncate(rows),
            Values::String(v) => v.truncate(rows),
        }
    }

    /// The values as a tensor; the column is empty then.
    pub fn finish(&mut self) -> Result<Tensor> {
        let tensor = match &mut self.values {
            Values::Float(v) => Tensor::vector(v),
            Values::Double(v) => Tensor::vector(v),
            Values::Int32(v) => Tensor::vector(v),
            Values::Int64(v) => Tensor::vector(v),
            Values::UInt8(v) => Tensor::vector(v),
            Values::Bool(v) => Tensor::vector(v),
            Values::String(v) => {
                let strings = std::mem::take(v);
                Tensor::from_counted([strings.len()], strings)
            }
        };
        self.truncate(0);
        tensor
    }
}

fn number<T: FromStr>(name: &str, kind: &str, field: &[u8]) -> Result<T> {
    let text = std::str::from_utf8(field.trim_ascii()).ok();
    text.and_then(|t| t.parse().ok()).ok_or_else(|| wrong(name, kind, field))
}

fn wrong(name: &str, kind: &str, field: &[u8]) -> Status {
    let shown = String::from_utf8_lossy(&field[..field.len().min(60)]).into_owned();
    let hint = if field.is_empty() { "; give the column a default" } else { "" };
    Status::invalid_argument(format!("column {name:?}: {shown:?} is not a valid {kind}{hint}"))
}
