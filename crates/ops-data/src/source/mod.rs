//! Operations that begin a dataset.

pub(crate) mod arguments;
mod csv;
mod fixed_length;
mod generator;
mod matching_files;
mod range;
mod records;
mod sql;
mod tensors;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    csv::register(registry)?;
    fixed_length::register(registry)?;
    generator::register(registry)?;
    matching_files::register(registry)?;
    range::register(registry)?;
    records::register(registry)?;
    sql::register(registry)?;
    tensors::register(registry)
}
