//! Iterators: resources that hand out the elements of a dataset.

mod create;
mod get_next;
mod make;
mod one_shot;
mod request;
mod resource;
mod string_handle;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) use get_next::element_shapes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    create::register(registry)?;
    get_next::register(registry)?;
    make::register(registry)?;
    one_shot::register(registry)?;
    string_handle::register(registry)
}
