//! Variables, by reference and by resource handle, and what reads and writes them.

mod assign;
mod assign_update;
mod count_up_to;
mod destroy_resource;
mod element_update;
mod gather;
mod gather_nd;
pub(crate) mod handles;
mod is_initialized;
mod mutex;
mod nd_indices;
mod read_variable;
mod ref_variable;
mod scatter;
mod scatter_nd;
mod temporary_variable;
mod var_handle;
mod variable_shape;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    ref_variable::register(registry)?;
    temporary_variable::register(registry)?;
    var_handle::register(registry)?;
    read_variable::register(registry)?;
    destroy_resource::register(registry)?;
    is_initialized::register(registry)?;
    variable_shape::register(registry)?;
    assign::register(registry)?;
    assign_update::register(registry)?;
    count_up_to::register(registry)?;
    gather::register(registry)?;
    gather_nd::register(registry)?;
    scatter::register(registry)?;
    scatter_nd::register(registry)?;
    mutex::register(registry)
}
