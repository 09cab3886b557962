//! Parts of ordinary tensors: slices, gathers, scatters, selections, the largest elements.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod approx_top_k;
mod dynamic_partition;
mod dynamic_stitch;
mod gather;
mod gather_nd;
mod index_tuples;
mod inplace;
mod list_diff;
mod one_hot;
mod region;
mod scatter_nd;
mod select;
mod slice;
mod strided_slice;
mod strided_spec;
mod top_k;
mod unique;

pub(crate) use region::broadcast_to;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    approx_top_k::register(registry)?;
    dynamic_partition::register(registry)?;
    dynamic_stitch::register(registry)?;
    gather::register(registry)?;
    gather_nd::register(registry)?;
    inplace::register(registry)?;
    list_diff::register(registry)?;
    one_hot::register(registry)?;
    scatter_nd::register(registry)?;
    select::register(registry)?;
    slice::register(registry)?;
    strided_slice::register(registry)?;
    top_k::register(registry)?;
    unique::register(registry)?;
    Ok(())
}
