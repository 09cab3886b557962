//! Summary writers: resources that operations write events through, as `tf.summary` of version 2 does.

mod event;
mod values;
mod writer;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    event::register(registry)?;
    values::register(registry)?;
    writer::register(registry)
}

#[cfg(test)]
mod tests;
