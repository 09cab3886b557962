//! Saving and restoring tensors in TensorFlow's checkpoint format.

mod arguments;
mod merge;
mod names;
mod remap;
mod restore;
mod restore_slice;
mod save;
mod save_slices;
mod vocabulary;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    save::register(registry)?;
    restore::register(registry)?;
    save_slices::register(registry)?;
    restore_slice::register(registry)?;
    merge::register(registry)?;
    names::register(registry)?;
    remap::register(registry)?;
    vocabulary::register(registry)
}
