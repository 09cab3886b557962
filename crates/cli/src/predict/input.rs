//! Examples from a file, as the model's inputs.

use downpour_data::Dataset;
use downpour_data::source::csv::Csv;
use downpour_formats::saved_model::Signature;
use downpour_tensor::{Result, Status};

/// One element per example, with a tensor for every input of the signature.
pub fn open(file: &str, signature: &Signature) -> Result<Dataset> {
    let names: Vec<&str> = signature.inputs.keys().map(String::as_str).collect();
    if !std::path::Path::new(file).is_file() {
        return Err(Status::not_found(format!("there is no file '{file}'")));
    }
    let plain = file.trim_end_matches(".gz");
    if plain.ends_with(".csv") {
        let mut csv = Csv::new();
        for (name, spec) in &signature.inputs {
            // A row has one field per column.
            if spec.shape.as_ref().is_some_and(|shape| shape.len() > 1) {
                return Err(Status::invalid_argument(format!(
                    "the model's input '{name}' is of shape {:?}, which no column of a CSV file has\nhint: give an IDX file",
                    spec.shape
                )));
            }
            csv = csv.column(name, spec.dtype);
        }
        return Dataset::csv(file, csv);
    }
    match names.as_slice() {
        [name] => Dataset::idx(file, name),
        _ => Err(Status::invalid_argument(format!(
            "'{file}' is taken as an IDX file, which has one column, but the model takes {}\nhint: give a .csv file with these \
             columns",
            names.join(", ")
        ))),
    }
}
