//! Operations that begin a dataset.

pub(crate) mod arguments;
mod csv;
mod fixed_length;
mod generator;
mod list;
mod matching_files;
mod random;
mod range;
mod records;
mod sparse_slices;
mod sql;
mod tensors;
mod window;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    list::register(registry)?;
    csv::register(registry)?;
    fixed_length::register(registry)?;
    generator::register(registry)?;
    matching_files::register(registry)?;
    random::register(registry)?;
    range::register(registry)?;
    records::register(registry)?;
    sparse_slices::register(registry)?;
    sql::register(registry)?;
    tensors::register(registry)?;
    window::register(registry)
}
