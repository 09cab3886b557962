//! CSVDataset and CSVDatasetV2: the records of CSV files.

use downpour_data::{ChosenColumns, CsvColumn, CsvRecords, Dataset};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Element, Result, Status, Tensor};

use super::arguments::{compression, files, scalar_bytes};
use crate::dataset::{GraphDataset, scalar_bool, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for (name, excluded) in [
        ("CSVDataset", ""),
        ("ExperimentalCSVDataset", ""),
        ("CSVDatasetV2", ", exclude_cols: int64"),
    ] {
        let signature = format!(
            "{name}(filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: output_types{excluded}) -> (handle: variant) @stateful
                output_types: list({{float, double, int32, int64, string}}) >= 1
                output_shapes: list(shape) >= 1"
        );
        registry
            .add(OpSpec::new(&signature)?.shape(shapes::scalar), |_| Ok(KernelBox::cheap(make)))?;
    }
    Ok(())
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let files = files(cx)?;
    let compression = compression(cx, 1)?;
    let defaults = cx.node().input_range("record_defaults")?;
    let columns = defaults.clone().enumerate().map(|(field, i)| column(cx.input(i), field));
    let columns: Vec<CsvColumn> = columns.collect::<Result<_>>()?;
    // How much is read at once is for the source to say.
    if scalar_i64(cx, 2, "buffer_size")? <= 0 {
        return Err(Status::invalid_argument("buffer_size should be positive"));
    }
    let [delimiter] = scalar_bytes(cx, 4, "field_delim")?[..] else {
        return Err(Status::invalid_argument("field_delim should be only 1 char"));
    };
    let selected = indices(cx.input(7), "select_cols")?;
    let excluded = match cx.node().op_name() {
        "CSVDatasetV2" => indices(cx.input(defaults.end), "exclude_cols")?,
        _ => Vec::new(),
    };
    if !selected.is_empty() && selected.len() != columns.len() {
        return Err(Status::invalid_argument("select_cols should match output size"));
    }
    let chosen = match (selected.is_empty(), excluded.is_empty()) {
        (true, true) => ChosenColumns::All,
        (false, true) => ChosenColumns::These(selected),
        (true, false) => ChosenColumns::Without(excluded),
        (false, false) => {
            return Err(Status::invalid_argument(
                "Either select_cols or exclude_cols should be empty",
            ));
        }
    };
    let records = CsvRecords {
        header: scalar_bool(cx, 3, "header")?,
        delimiter,
        quotes: scalar_bool(cx, 5, "use_quote_delim")?,
        missing: scalar_bytes(cx, 6, "na_value")?.to_vec(),
        chosen,
        columns,
        compression,
    };
    let made = GraphDataset::new(cx.node(), Dataset::csv_records(files, records), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// Returns the column whose default is a tensor of at most one element.
fn column(default: &Tensor, field: usize) -> Result<CsvColumn> {
    fn number<T: Element>(default: &Tensor) -> Result<Option<T>> {
        Ok(default.as_slice::<T>()?.first().copied())
    }
    if default.rank() > 1 {
        return Err(Status::invalid_argument("Each record default should be at most rank 1"));
    }
    if default.len() > 1 {
        return Err(Status::invalid_argument(format!(
            "There should only be 1 default per field but field {field} has {}",
            default.len()
        )));
    }
    match default.dtype() {
        DataType::Float => number(default).map(CsvColumn::Float),
        DataType::Double => number(default).map(CsvColumn::Double),
        DataType::Int32 => number(default).map(CsvColumn::Int32),
        DataType::Int64 => number(default).map(CsvColumn::Int64),
        DataType::String => Ok(CsvColumn::Text(default.strings()?.first().cloned())),
        other => Err(Status::invalid_argument(format!(
            "csv: data type {other} not supported in field {field}"
        ))),
    }
}

/// Returns numbers of columns, which rise.
fn indices(tensor: &Tensor, name: &str) -> Result<Vec<u64>> {
    if tensor.rank() != 1 {
        return Err(Status::invalid_argument(format!("`{name}` must be a vector.")));
    }
    let indices = tensor.as_slice::<i64>()?;
    if indices.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(Status::invalid_argument(format!(
            "{name} should be strictly increasing indices"
        )));
    }
    let index = |&index: &i64| {
        u64::try_from(index)
            .map_err(|_| Status::invalid_argument(format!("{name} should be non-negative indices")))
    };
    indices.iter().map(index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_numbers_that_rise() {
        let message = |tensor: Tensor| indices(&tensor, "select_cols").unwrap_err().to_string();
        assert_eq!(indices(&Tensor::vector(&[0i64, 3]).unwrap(), "select_cols").unwrap(), [0, 3]);
        let falling = message(Tensor::vector(&[3i64, 3]).unwrap());
        assert!(falling.contains("strictly increasing"), "{falling}");
        let negative = message(Tensor::vector(&[-1i64, 3]).unwrap());
        assert!(negative.contains("non-negative"), "{negative}");
        assert!(message(Tensor::scalar(1i64)).contains("must be a vector"));
    }

    #[test]
    fn a_default_is_one_value_or_none() {
        assert!(matches!(column(&Tensor::scalar(1i32), 0), Ok(CsvColumn::Int32(Some(1)))));
        let none = Tensor::vector::<f32>(&[]).unwrap();
        assert!(matches!(column(&none, 0), Ok(CsvColumn::Float(None))));
        let two = column(&Tensor::vector(&[1i32, 2]).unwrap(), 3).unwrap_err();
        assert!(two.message().contains("field 3 has 2"), "{two}");
        assert!(column(&Tensor::scalar(true), 0).is_err());
    }
}
