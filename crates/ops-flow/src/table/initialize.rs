//! Filling a table once: from tensors, or from the lines of a text file.

use std::path::Path;
use std::sync::Arc;

use downpour_formats::read_regular;
use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{ByteString, Code, CountedVec, DataType, Result, Status, Tensor, excerpt};

use super::table::Table;
use crate::handle::find_input;

const LINE_NUMBER: i64 = -1;
const WHOLE_LINE: i64 = -2;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "InitializeTableV2(table_handle: resource, keys: Tkey, values: Tval) -> () @stateful
            Tkey: type
            Tval: type",
        "InitializeTable(table_handle: Ref(string), keys: Tkey, values: Tval) -> ()
            Tkey: type
            Tval: type",
    ] {
        let spec = OpSpec::new(signature)?.not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::function(from_tensors)))?;
    }
    for signature in [
        "InitializeTableFromTextFileV2(table_handle: resource, filename: string) -> () @stateful
            key_index: int >= -2
            value_index: int >= -2
            vocab_size: int >= -1 = -1
            delimiter: string = '\\t'
            offset: int = 0",
        "InitializeTableFromTextFile(table_handle: Ref(string), filename: string) -> ()
            key_index: int >= -2
            value_index: int >= -2
            vocab_size: int >= -1 = -1
            delimiter: string = '\\t'
            offset: int = 0",
    ] {
        registry.add(OpSpec::new(signature)?.not_differentiable(), make_from_file)?;
    }
    Ok(())
}

fn initializable(cx: &mut OpContext<'_>) -> Result<Arc<Table>> {
    let table = find_input::<Table>(cx, 0)?;
    if table.is_initializable() {
        return Ok(table);
    }
    Err(Status::invalid_argument(format!("Table {} is not initializable", table.name)))
}

fn from_tensors(cx: &mut OpContext<'_>) -> Result<()> {
    let table = initializable(cx)?;
    let (keys, values) = (cx.input(1), cx.input(2));
    for (name, tensor) in [("Keys", keys), ("Values", values)] {
        if tensor.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "{name} must be a vector, but received shape{}",
                tensor.shape()
            )));
        }
    }
    if keys.len() != values.len() {
        return Err(Status::invalid_argument(format!(
            "Keys and values must have the same size {} vs {}",
            keys.len(),
            values.len()
        )));
    }
    table.import(keys, values)
}

struct FromFile {
    key_index: i64,
    value_index: i64,
    vocab_size: i64,
    delimiter: u8,
    offset: i64,
}

fn make_from_file(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let delimiter = build.bytes("delimiter")?;
    let [delimiter] = delimiter[..] else {
        return Err(Status::invalid_argument("delimiter should be only 1 char"));
    };
    Ok(KernelBox::blocking(FromFile {
        key_index: build.int("key_index")?,
        value_index: build.int("value_index")?,
        vocab_size: build.int("vocab_size")?,
        delimiter,
        offset: build.int("offset")?,
    }))
}

impl Kernel for FromFile {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let table = initializable(cx)?;
        let filename = cx.input(1);
        if filename.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "filename should be a single string, but got {}",
                filename.shape()
            )));
        }
        let path = String::from_utf8_lossy(&filename.strings()?[0]).into_owned();
        if path.is_empty() {
            return Err(Status::invalid_argument("filename cannot be empty."));
        }
        self.check_types(&table)?;
        let contents = read(cx, &path)?;
        let (keys, values) = self.parse(&table, &path, &contents)?;
        match table.import(&keys, &values) {
            // The shared name of such a table contains the file's name: it was filled from the
            // same file before.
            Err(error) if error.code() == Code::FailedPrecondition && table.len() > 0 => Ok(()),
            result => result,
        }
    }
}

fn read(cx: &OpContext<'_>, path: &str) -> Result<ByteString> {
    let stop = || match cx.cancellation().is_cancelled() {
        true => Err(Status::cancelled("reading the vocabulary was cancelled").derived()),
        false => Ok(()),
    };
    read_regular(Path::new(path), stop).map_err(|e| match e.code() {
        Code::NotFound => Status::not_found(format!("{path}; No such file or directory")),
        Code::Unknown => Status::failed_precondition(format!("{path}; {}", e.message())),
        _ => e,
    })
}

impl FromFile {
    fn check_types(&self, table: &Table) -> Result<()> {
        let whole = |dtype: DataType| dtype.is_integer() || dtype == DataType::String;
        let problem = if self.key_index == LINE_NUMBER && table.key_dtype != DataType::Int64 {
            format!(
                "Key index for line number requires table key dtype of int64, got {}",
                table.key_dtype
            )
        } else if self.key_index == WHOLE_LINE && !whole(table.key_dtype) {
            format!(
                "Key index for whole line requires string or integer table key, got {}",
                table.key_dtype
            )
        } else if self.value_index == LINE_NUMBER && table.value_dtype != DataType::Int64 {
            format!(
                "Value index for line number requires table value dtype of int64, got {}",
                table.value_dtype
            )
        } else if self.value_index == WHOLE_LINE && !whole(table.value_dtype) {
            format!(
                "Value index for whole line requires table value dtype of integer or string, got {}",
                table.value_dtype
            )
        } else {
            return Ok(());
        };
        Err(Status::invalid_argument(problem))
    }

    fn parse(&self, table: &Table, path: &str, contents: &[u8]) -> Result<(Tensor, Tensor)> {
        let mut keys = Fields::new(table.key_dtype);
        let mut values = Fields::new(table.value_dtype);
        let wanted = self.key_index.max(self.value_index);
        let mut number = 0i64;
        let lines = contents.strip_suffix(b"\n").unwrap_or(contents);
        let lines = if contents.is_empty() { None } else { Some(lines.split(|&b| b == b'\n')) };
        for line in lines.into_iter().flatten() {
            if self.vocab_size != -1 && number >= self.vocab_size {
                break;
            }
            let line: Vec<u8> = line.iter().copied().filter(|&b| b != b'\r').collect();
            if line.is_empty() {
                return Err(Status::invalid_argument(format!(
                    "Invalid content in {path}: empty line found at position {number}."
                )));
            }
            let columns: Vec<&[u8]> = match wanted < 0 {
                true => Vec::new(),
                false => line.split(|&b| b == self.delimiter).collect(),
            };
            if wanted >= 0 && columns.len() as i64 <= wanted {
                return Err(Status::invalid_argument(format!(
                    "Invalid number of columns in {path} line {number} ({}) : expected at least \
                     {} got {}",
                    excerpt(&line),
                    wanted.saturating_add(1),
                    columns.len()
                )));
            }
            for (index, fields) in [(self.key_index, &mut keys), (self.value_index, &mut values)] {
                match index {
                    LINE_NUMBER => fields.push_number(number.wrapping_add(self.offset)),
                    WHOLE_LINE => fields.push(&line, number, self.offset)?,
                    _ => fields.push(columns[index as usize], number, self.offset)?,
                }
            }
            number += 1;
        }
        if self.vocab_size != -1 && number < self.vocab_size {
            return Err(Status::invalid_argument(format!(
                "Invalid vocab_size in {path}: expected {} but got {number}",
                self.vocab_size
            )));
        }
        Ok((keys.into_tensor()?, values.into_tensor()?))
    }
}

/// Fields of one column as they are parsed.
enum Fields {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Text(CountedVec<ByteString>),
    Unsupported(DataType),
}

impl Fields {
    fn new(dtype: DataType) -> Fields {
        match dtype {
            DataType::Int32 => Fields::Int32(Vec::new()),
            DataType::Int64 => Fields::Int64(Vec::new()),
            DataType::Float => Fields::Float(Vec::new()),
            DataType::Double => Fields::Double(Vec::new()),
            DataType::String => Fields::Text(CountedVec::new()),
            other => Fields::Unsupported(other),
        }
    }

    fn push_number(&mut self, number: i64) {
        if let Fields::Int64(values) = self {
            values.push(number);
        }
    }

    fn push(&mut self, field: &[u8], line: i64, offset: i64) -> Result<()> {
        fn parsed<T: std::str::FromStr>(field: &[u8], line: i64, name: &str) -> Result<T> {
            let text = String::from_utf8_lossy(field);
            text.trim().parse().map_err(|_| {
                Status::invalid_argument(format!(
                    "Field {} in line {line} is not a valid {name}.",
                    excerpt(field)
                ))
            })
        }
        match self {
            // TensorFlow adds the offset to int32 fields, and only to them.
            Fields::Int32(values) => {
                values.push(parsed::<i32>(field, line, "int32")?.wrapping_add(offset as i32));
            }
            Fields::Int64(values) => values.push(parsed(field, line, "int64")?),
            Fields::Float(values) => values.push(parsed(field, line, "float")?),
            Fields::Double(values) => values.push(parsed(field, line, "double")?),
            Fields::Text(values) => values.push(ByteString::copy_from(field)?)?,
            Fields::Unsupported(dtype) => {
                return Err(Status::invalid_argument(format!("Data type {dtype} not supported.")));
            }
        }
        Ok(())
    }

    fn into_tensor(self) -> Result<Tensor> {
        match self {
            Fields::Int32(values) => Tensor::vector(&values),
            Fields::Int64(values) => Tensor::vector(&values),
            Fields::Float(values) => Tensor::vector(&values),
            Fields::Double(values) => Tensor::vector(&values),
            Fields::Text(values) => Tensor::from_counted([values.len()], values),
            Fields::Unsupported(dtype) => {
                Err(Status::invalid_argument(format!("Data type {dtype} not supported.")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Bench;
    use downpour_graph::{Attrs, PartialShape};
    use downpour_runtime::Value;

    fn strings(values: &[&str]) -> Tensor {
        Tensor::build_strings([values.len()], |i| ByteString::copy_from(values[i])).unwrap()
    }

    fn types(key: DataType, value: DataType) -> Attrs {
        Attrs::new().with("key_dtype", key).with("value_dtype", value).with("shared_name", "t")
    }

    fn find(bench: &Bench, table: &Tensor, keys: Tensor, default: Tensor) -> Result<Tensor> {
        let inputs = [table.clone(), keys, default];
        bench.run("LookupTableFindV2", Attrs::new(), inputs).map(|mut out| out.remove(0))
    }

    #[test]
    fn a_table_is_filled_once() {
        let bench = Bench::new(crate::table::register);
        let attrs = types(DataType::String, DataType::Int64);
        let table = bench.run("HashTableV2", attrs, []).unwrap().remove(0);
        let default = || Tensor::scalar(-1i64);
        let error = find(&bench, &table, strings(&["a"]), default()).unwrap_err();
        assert!(error.message().contains("Table not initialized"));
        let fill = |keys: &[&str], values: &[i64]| {
            let inputs = [table.clone(), strings(keys), Tensor::vector(values).unwrap()];
            bench.run("LookupTableImportV2", Attrs::new(), inputs)
        };
        assert_eq!(fill(&["a", "a"], &[0, 1]).unwrap_err().code(), Code::FailedPrecondition);
        fill(&["a", "b"], &[0, 1]).unwrap();
        fill(&["a", "b"], &[0, 1]).unwrap();
        assert!(fill(&["a"], &[0]).is_err());
        let out = find(&bench, &table, strings(&["b", "x"]), default()).unwrap();
        assert_eq!(out.as_slice::<i64>().unwrap(), &[1, -1]);
        let inputs = [table.clone(), strings(&["a"]), Tensor::vector(&[1i64]).unwrap()];
        let error = bench.run("LookupTableInsertV2", Attrs::new(), inputs).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
        let wrong = find(&bench, &table, Tensor::scalar(1i64), default()).unwrap_err();
        assert!(wrong.message().contains("Signature mismatch"));
    }

    #[test]
    fn mutable_tables_of_vectors() {
        let bench = Bench::new(crate::table::register);
        let attrs = types(DataType::Int64, DataType::Float)
            .with("value_shape", PartialShape::vector(Some(2)));
        let table = bench.run("MutableHashTableOfTensorsV2", attrs, []).unwrap().remove(0);
        let keys = Tensor::vector(&[5i64, 6]).unwrap();
        let values = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        let inputs = [table.clone(), keys.clone(), values];
        bench.run("LookupTableInsertV2", Attrs::new(), inputs).unwrap();
        let asked = Tensor::from_vec([1, 2], vec![6i64, 9]).unwrap();
        let default = Tensor::vector(&[0f32, -1.0]).unwrap();
        let out = find(&bench, &table, asked, default).unwrap();
        assert_eq!(out.dims(), &[1, 2, 2]);
        assert_eq!(out.as_slice::<f32>().unwrap(), &[3.0, 4.0, 0.0, -1.0]);
        let remove = [table.clone(), Tensor::vector(&[5i64]).unwrap()];
        bench.run("LookupTableRemoveV2", Attrs::new(), remove).unwrap();
        let size = bench.run("LookupTableSizeV2", Attrs::new(), [table.clone()]).unwrap();
        assert_eq!(size[0].to_scalar::<i64>().unwrap(), 1);
        let inputs = [table, keys, Tensor::vector(&[1f32, 2.0]).unwrap()];
        let error = bench.run("LookupTableInsertV2", Attrs::new(), inputs).unwrap_err();
        assert!(error.message().contains("Expected shape [2,2] for value, got [2]"));
    }

    #[test]
    fn dense_tables_show_their_buckets() {
        let bench = Bench::new(crate::table::register);
        let make = |buckets: i64, empty: i64, deleted: i64| {
            let attrs = types(DataType::Int64, DataType::Int64)
                .with("initial_num_buckets", buckets)
                .with("shared_name", format!("d{buckets}{empty}{deleted}"));
            let inputs = [Tensor::scalar(empty), Tensor::scalar(deleted)];
            bench.run("MutableDenseHashTableV2", attrs, inputs).map(|mut t| t.remove(0))
        };
        assert!(make(3, -1, -2).unwrap_err().message().contains("Number of buckets must be"));
        assert!(make(4, 0, 0).unwrap_err().message().contains("cannot be equal"));
        for sizes in [&[Some(1 << 62)][..], &[Some(1 << 40), Some(1 << 40)]] {
            let attrs = types(DataType::Int64, DataType::Int64)
                .with("value_shape", PartialShape::of(sizes.iter().copied()));
            let inputs = [Tensor::scalar(-1i64), Tensor::scalar(-2i64)];
            let error = bench.run("MutableDenseHashTableV2", attrs, inputs).unwrap_err();
            assert!(error.message().contains("value_shape"), "{error}");
        }
        let table = make(4, -1, -2).unwrap();
        let insert = |keys: &[i64]| {
            let k = Tensor::vector(keys).unwrap();
            bench.run("LookupTableInsertV2", Attrs::new(), [table.clone(), k.clone(), k])
        };
        insert(&[1, 5]).unwrap();
        assert!(insert(&[-1]).unwrap_err().message().contains("empty_key"));
        assert!(insert(&[-2]).unwrap_err().message().contains("deleted_key"));
        let remove = [table.clone(), Tensor::vector(&[1i64]).unwrap()];
        bench.run("LookupTableRemoveV2", Attrs::new(), remove).unwrap();
        let attrs = Attrs::new().with("Tkeys", DataType::Int64).with("Tvalues", DataType::Int64);
        let out = bench.run("LookupTableExportV2", attrs, [table.clone()]).unwrap();
        assert_eq!(out[0].dims(), &[4, 1]);
        assert_eq!(out[0].as_slice::<i64>().unwrap(), &[-1, -2, 5, -1]);
        insert(&[7, 8, 9, 10]).unwrap();
        let found = find(&bench, &table, Tensor::vector(&[5i64, 1]).unwrap(), Tensor::scalar(0i64))
            .unwrap();
        assert_eq!(found.as_slice::<i64>().unwrap(), &[5, 0]);
        let other = make(8, -1, -2).unwrap();
        let inputs = [other.clone(), out[0].clone(), out[1].clone()];
        bench.run("LookupTableImportV2", Attrs::new(), inputs).unwrap();
        let size = bench.run("LookupTableSizeV2", Attrs::new(), [other]).unwrap();
        assert_eq!(size[0].to_scalar::<i64>().unwrap(), 1);
    }

    #[test]
    fn text_files_with_columns_and_line_numbers() {
        let path = std::env::temp_dir().join(format!("downpour-vocab-{}", std::process::id()));
        std::fs::write(&path, "brain 300\r\nsalad 20\nsurgery 1").unwrap();
        let name = path.display().to_string();
        let run = |key: i64, value: i64, size: i64, value_dtype: DataType, file: &str| {
            let bench = Bench::new(crate::table::register);
            let attrs = types(DataType::String, value_dtype);
            let table = bench.values("HashTable", attrs, vec![])?.remove(0);
            let attrs = Attrs::new()
                .with("key_index", key)
                .with("value_index", value)
                .with("vocab_size", size)
                .with("delimiter", " ");
            let file = Value::Tensor(Tensor::from_string(file).unwrap());
            bench.values("InitializeTableFromTextFile", attrs, vec![table.clone(), file])?;
            let inputs = vec![table, strings(&["salad"]).into(), Tensor::scalar(-1i64).into()];
            let out = bench.values("LookupTableFind", Attrs::new(), inputs)?;
            Ok::<_, Status>(out[0].tensor().unwrap().as_slice::<i64>()?[0])
        };
        assert_eq!(run(0, 1, -1, DataType::Int64, &name).unwrap(), 20);
        assert_eq!(run(0, LINE_NUMBER, 3, DataType::Int64, &name).unwrap(), 1);
        assert_eq!(run(0, LINE_NUMBER, 1, DataType::Int64, &name).unwrap(), -1);
        let message = |result: Result<i64>| result.unwrap_err().message().to_string();
        assert!(
            message(run(0, LINE_NUMBER, 4, DataType::Int64, &name)).contains("Invalid vocab_size")
        );
        assert!(
            message(run(0, 2, -1, DataType::Int64, &name)).contains("Invalid number of columns")
        );
        let far = run(0, i64::MAX, -1, DataType::Int64, &name);
        assert!(message(far).contains("Invalid number of columns"));
        assert!(message(run(1, 0, -1, DataType::Int64, &name)).contains("is not a valid int64"));
        assert!(
            message(run(0, LINE_NUMBER, -1, DataType::Float, &name)).contains("requires table")
        );
        assert!(message(run(0, 1, -1, DataType::Int64, "/nowhere")).contains("/nowhere"));
        std::fs::remove_file(path).unwrap();
    }
}
