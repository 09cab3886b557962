//! Sparse tensors: a matrix of coordinates, a vector of values, and the shape they live in.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod binary;
mod concat;
mod coo;
mod cross;
mod dense_mat_mul;
mod fill_empty_rows;
mod mat_mul;
mod reduce;
mod reorder;
mod reshape;
mod serialize;
mod slice;
mod softmax;
mod stack;
mod tensors_map;
mod to_dense;
mod with_dense;

pub(crate) use coo::Coo;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    binary::register(registry)?;
    concat::register(registry)?;
    cross::register(registry)?;
    dense_mat_mul::register(registry)?;
    fill_empty_rows::register(registry)?;
    mat_mul::register(registry)?;
    reduce::register(registry)?;
    reorder::register(registry)?;
    reshape::register(registry)?;
    serialize::register(registry)?;
    slice::register(registry)?;
    softmax::register(registry)?;
    tensors_map::register(registry)?;
    to_dense::register(registry)?;
    with_dense::register(registry)?;
    Ok(())
}
