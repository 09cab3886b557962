//! Ragged tensors: values with nested row splits, `splits[i]..splits[i + 1]` being row i.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod count;
mod cross;
mod fill_empty_rows;
mod from_variant;
mod gather;
mod range;
mod splits;
mod to_sparse;
mod to_tensor;
mod to_variant;
mod variant;

pub(crate) use splits::join;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    variant::register_decoder();
    count::register(registry)?;
    cross::register(registry)?;
    fill_empty_rows::register(registry)?;
    from_variant::register(registry)?;
    gather::register(registry)?;
    range::register(registry)?;
    to_sparse::register(registry)?;
    to_tensor::register(registry)?;
    to_variant::register(registry)
}
