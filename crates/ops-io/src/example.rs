//! Tensors from serialised tf.Example and tf.SequenceExample messages.

mod batch;
mod features;
#[cfg(test)]
mod fixtures;
mod json;
mod key_index;
mod merge;
mod parse_example;
mod parse_sequence_example;
mod parse_single_example;
mod parse_single_sequence_example;
mod schema;
mod sequence;
mod single;
mod slots;
mod values;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    json::register(registry)?;
    parse_example::register(registry)?;
    parse_sequence_example::register(registry)?;
    parse_single_example::register(registry)?;
    parse_single_sequence_example::register(registry)
}
