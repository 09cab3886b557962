//! Collections of tensors: tensor arrays, tensor lists and maps, stacks.

mod array;
mod array_access;
mod array_blocks;
mod array_create;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    array_access::register(registry)?;
    array_blocks::register(registry)?;
    array_create::register(registry)
}
