//! Iterators: resources that hand out the elements of a dataset.

mod create;
mod facts;
mod get_next;
mod make;
mod multi_device;
mod one_shot;
mod place;
mod request;
mod resource;
mod saved;
mod serialize;
mod string_handle;
#[cfg(test)]
mod testing;
mod waiter;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) use get_next::element_shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    create::register(registry)?;
    facts::register(registry)?;
    get_next::register(registry)?;
    make::register(registry)?;
    multi_device::register(registry)?;
    one_shot::register(registry)?;
    serialize::register(registry)?;
    string_handle::register(registry)
}
