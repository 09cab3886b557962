//! Sparse tensors: a matrix of coordinates, a vector of values, and the shape they live in.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod coo;
mod fill_empty_rows;
mod reorder;
mod reshape;
mod to_dense;

pub(crate) use coo::Coo;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    fill_empty_rows::register(registry)?;
    reorder::register(registry)?;
    reshape::register(registry)?;
    to_dense::register(registry)
}
