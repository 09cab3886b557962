//! Saving and restoring tensors in TensorFlow's checkpoint format.

mod arguments;
mod merge;
mod names;
mod remap;
mod restore;
mod save;
mod vocabulary;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    save::register(registry)?;
    restore::register(registry)?;
    merge::register(registry)?;
    names::register(registry)?;
    remap::register(registry)?;
    vocabulary::register(registry)
}
