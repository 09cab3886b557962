//! Parts of ordinary tensors: slices, gathers, scatters, selections, the largest elements.

use downpour_runtime::Registry;
use downpour_tensor::Result;

mod region;
mod slice;
mod strided_slice;
mod strided_spec;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    slice::register(registry)?;
    strided_slice::register(registry)
}
