//! Collections of tensors: tensor arrays, tensor lists and maps, stacks.

mod array;
mod array_access;
mod array_blocks;
mod array_create;
mod list_create;
mod list_item;
mod list_join;
mod list_scatter;
mod list_size;
mod stack;
mod tensor_list;
mod tensor_map;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    array_access::register(registry)?;
    array_blocks::register(registry)?;
    array_create::register(registry)?;
    list_create::register(registry)?;
    list_item::register(registry)?;
    list_join::register(registry)?;
    list_scatter::register(registry)?;
    list_size::register(registry)?;
    stack::register(registry)?;
    tensor_map::register(registry)
}
