//! DecodeCSV: a tensor for each column of comma separated records.

use bytes::Bytes;
use downpour_formats::text_number::{float_or_hexadecimal as float, integer};
use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{
    ByteString, CountedVec, DataType, Element, Result, Status, StringWriter, Tensor, excerpt,
};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "DecodeCSV(records: string, record_defaults: OUT_TYPE) -> (output: OUT_TYPE)
                OUT_TYPE: list({float, double, int32, int64, string}) >= 1
                field_delim: string = ','
                use_quote_delim: bool = true
                na_value: string = ''
                select_cols: list(int) = []",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(DecodeCsv::new(build)?)),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for default in &cx.inputs()[1..] {
        if default.dims().is_some_and(|d| d.len() > 1 || d.iter().any(|n| n.is_some_and(|n| n > 1)))
        {
            return Err(Status::invalid_argument(
                "Shape of a default must be a length-0 or length-1 vector, or a scalar.",
            ));
        }
    }
    for i in 0..cx.outputs_len() {
        cx.set_output(i, cx.input(0).clone());
    }
    Ok(())
}

struct DecodeCsv {
    delimiter: u8,
    quotes: bool,
    missing: Bytes,
    /// The columns wanted, in order; all of them if empty.
    columns: Vec<usize>,
}

impl DecodeCsv {
    fn new(build: &KernelBuild<'_>) -> Result<DecodeCsv> {
        let columns = build.ints("select_cols")?;
        if !columns.is_empty() && columns.len() != build.dtypes("OUT_TYPE")?.len() {
            return Err(Status::invalid_argument("select_cols should match output size"));
        }
        if columns.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Status::invalid_argument(
                "select_cols should be strictly increasing indices",
            ));
        }
        let columns = columns
            .into_iter()
            .map(usize::try_from)
            .collect::<std::result::Result<_, _>>()
            .map_err(|_| Status::invalid_argument("select_cols should be non-negative indices"))?;
        let [delimiter] = build.bytes("field_delim")?[..] else {
            return Err(Status::invalid_argument("field_delim should be only 1 char"));
        };
        let missing = build.bytes("na_value")?;
        Ok(DecodeCsv { delimiter, quotes: build.bool("use_quote_delim")?, missing, columns })
    }

    /// The wanted fields of a record.
    fn fields(&self, record: &ByteString) -> Result<CountedVec<ByteString>> {
        let mut fields = CountedVec::new();
        let (mut at, mut column) = (0, 0);
        let wanted = |fields: &[ByteString], column: usize| {
            self.columns.is_empty() || self.columns.get(fields.len()) == Some(&column)
        };
        while at < record.len() {
            if matches!(record[at], b'\n' | b'\r') {
                at += 1;
                continue;
            }
            let field;
            (field, at) = if self.quotes && record[at] == b'"' {
                self.quoted(record, at + 1)?
            } else {
                self.plain(record, at)?
            };
            if wanted(&fields, column) {
                fields.push(field)?;
                if fields.len() == self.columns.len() {
                    return Ok(fields);
                }
            }
            column += 1;
        }
        // A delimiter at the end has an empty field after it.
        if record.last() == Some(&self.delimiter) && wanted(&fields, column) {
            fields.push(ByteString::new())?;
        }
        Ok(fields)
    }

    /// The field from `start` to the next delimiter, and where the next one starts.
    fn plain(&self, record: &ByteString, start: usize) -> Result<(ByteString, usize)> {
        let rest = &record[start..];
        let end = rest.iter().position(|&b| b == self.delimiter).unwrap_or(rest.len());
        let field = &rest[..end];
        if field.iter().any(|&b| matches!(b, b'\n' | b'\r') || self.quotes && b == b'"') {
            return Err(Status::invalid_argument(
                "Unquoted fields cannot have quotes/CRLFs inside",
            ));
        }
        Ok((record.slice_ref(field), start + end + 1))
    }

    /// The field after a quote up to the closing one, in which two quotes stand for one.
    fn quoted(&self, record: &[u8], start: usize) -> Result<(ByteString, usize)> {
        let mut field = StringWriter::new();
        let mut at = start;
        while at + 1 < record.len() {
            match (record[at], record[at + 1]) {
                (b'"', next) if next == self.delimiter => break,
                (b'"', b'"') => {
                    field.push(b"\"")?;
                    at += 2;
                }
                (b'"', _) => {
                    return Err(Status::invalid_argument(
                        "Quote inside a string has to be escaped by another quote",
                    ));
                }
                (byte, _) => {
                    field.push(&[byte])?;
                    at += 1;
                }
            }
        }
        if record.get(at) != Some(&b'"') {
            return Err(Status::invalid_argument(
                "Quoted field has to end with quote followed by delim or end",
            ));
        }
        Ok((field.finish(), at + 2))
    }

    /// Column `f` of all records as numbers.
    fn numbers<T: Element>(
        &self,
        f: usize,
        rows: &[CountedVec<ByteString>],
        records: &Tensor,
        default: &Tensor,
        read: fn(&[u8]) -> Option<T>,
    ) -> Result<Tensor> {
        let default = default.as_slice::<T>()?.first();
        let value = |i: usize| {
            let field = &rows[i][f];
            if field.is_empty() || *field == self.missing {
                return default.copied().ok_or_else(|| required(f, i));
            }
            read(field).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Field {f} in record {i} is not a valid {}: {}",
                    T::DTYPE,
                    excerpt(field)
                ))
            })
        };
        let values = CountedVec::build(rows.len(), value)?;
        Tensor::from_slice(records.shape(), &values)
    }

    fn texts(
        &self,
        f: usize,
        rows: &[CountedVec<ByteString>],
        records: &Tensor,
        default: &Tensor,
    ) -> Result<Tensor> {
        let default = default.strings()?.first();
        Tensor::build_strings(records.shape(), |i| match &rows[i][f] {
            field if field.is_empty() || *field == self.missing => {
                default.cloned().ok_or_else(|| required(f, i))
            }
            field => Ok(field.clone()),
        })
    }
}

fn required(field: usize, record: usize) -> Status {
    Status::invalid_argument(format!("Field {field} is required but missing in record {record}!"))
}

impl Kernel for DecodeCsv {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let records = cx.input(0).clone();
        let columns = cx.inputs_len() - 1;
        for f in 0..columns {
            let default = cx.input(f + 1);
            if default.rank() > 1 {
                return Err(Status::invalid_argument(
                    "Each record default should be at most rank 1",
                ));
            }
            if default.len() > 1 {
                return Err(Status::invalid_argument(format!(
                    "There should only be 1 default per field but field {f} has {}",
                    default.len()
                )));
            }
        }
        let mut rows = CountedVec::with_capacity(records.len())?;
        for (i, record) in records.strings()?.iter().enumerate() {
            let fields = self.fields(record)?;
            if fields.len() != columns {
                return Err(Status::invalid_argument(format!(
                    "Expect {columns} fields but have {} in record {i}",
                    fields.len()
                )));
            }
            rows.push(fields)?;
        }
        for f in 0..columns {
            let default = cx.input(f + 1);
            let column = match default.dtype() {
                DataType::Int32 => self.numbers(f, &rows, &records, default, integer::<i32>)?,
                DataType::Int64 => self.numbers(f, &rows, &records, default, integer::<i64>)?,
                DataType::Float => self.numbers(f, &rows, &records, default, float::<f32>)?,
                DataType::Double => self.numbers(f, &rows, &records, default, float::<f64>)?,
                DataType::String => self.texts(f, &rows, &records, default)?,
                other => {
                    return Err(Status::invalid_argument(format!(
                        "csv: data type {other} not supported in field {f}"
                    )));
                }
            };
            cx.set_output(f, column);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn decode(record: &'static str, columns: Vec<i64>) -> Result<Vec<Tensor>> {
        OpTest::new(register, "DecodeCSV")
            .attr("OUT_TYPE", vec![DataType::Int32, DataType::Float, DataType::String])
            .attr("select_cols", columns)
            .attr("na_value", "NA")
            .input(Tensor::from_strings([1], vec![record.into()]).unwrap())
            .input(Tensor::vector::<i32>(&[]).unwrap())
            .input(Tensor::vector(&[7f32]).unwrap())
            .input(Tensor::string("none"))
            .run()
    }

    #[test]
    fn fields_are_read_with_quotes_and_defaults() {
        let out = decode(" 1,2.5,\"a,\"\"b\"\"\"", vec![]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), &[1]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[2.5]);
        assert_eq!(out[2].strings().unwrap(), &["a,\"b\""]);
        let out = decode("1,NA,", vec![]).unwrap();
        assert_eq!(out[1].as_slice::<f32>().unwrap(), &[7.0]);
        assert_eq!(out[2].strings().unwrap(), &["none"]);
        let out = decode("x,1,y,2,z,w", vec![1, 3, 4]).unwrap();
        assert_eq!(out[2].strings().unwrap(), &["z"]);
    }

    #[test]
    fn bad_records_are_refused() {
        for (record, message) in [
            ("1,2", "Expect 3 fields but have 2 in record 0"),
            ("", "Expect 3 fields but have 0"),
            (",1,a", "Field 0 is required but missing in record 0!"),
            ("x,1,a", "Field 0 in record 0 is not a valid int32: x"),
            ("1,2,a\"b", "Unquoted fields cannot have quotes/CRLFs inside"),
            ("1,2,\"a", "Quoted field has to end with quote followed by delim or end"),
            ("1,2,\"", "Quoted field has to end with quote followed by delim or end"),
            ("1,2,\"a\"b\"", "Quote inside a string has to be escaped by another quote"),
        ] {
            let error = decode(record, vec![]).unwrap_err();
            assert!(error.message().contains(message), "{record}: {}", error.message());
        }
        assert!(decode("1,2,3", vec![2, 1, 0]).is_err());
        assert!(decode("1,2,3", vec![-1, 1, 2]).is_err());
        assert!(decode("1,2,3", vec![1]).is_err());
    }
}
