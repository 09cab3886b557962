//! Parts of ordinary tensors: slices, gathers, scatters, selections, the largest elements.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod gather;
mod gather_nd;
mod index_tuples;
mod region;
mod scatter_nd;
mod select;
mod slice;
mod strided_slice;
mod strided_spec;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    slice::register(registry)?;
    strided_slice::register(registry)?;
    gather::register(registry)?;
    gather_nd::register(registry)?;
    scatter_nd::register(registry)?;
    select::register(registry)
}
