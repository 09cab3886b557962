//! `ReaderReadUpTo`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderReadUpTo(reader_handle, queue_handle, num_records) -> (keys, values)`.
///
/// * `reader_handle`: string, a reference
/// * `queue_handle`: string, a reference
/// * `num_records`: int64
/// * gives `keys`: string
/// * gives `values`: string
///
/// Gradients do not flow through it.
pub fn reader_read_up_to(
    reader_handle: &Output,
    queue_handle: &Output,
    num_records: &Output,
) -> ReaderReadUpTo {
    let node = NodeBuilder::new("ReaderReadUpTo")
        .input(reader_handle)
        .input(queue_handle)
        .input(num_records);
    ReaderReadUpTo(node)
}

/// A `ReaderReadUpTo` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReaderReadUpTo(NodeBuilder);

impl ReaderReadUpTo {
    /// Names the node.
    pub fn name(self, name: &str) -> ReaderReadUpTo {
        ReaderReadUpTo(self.0.name(name))
    }

    /// Adds the node and gives (`keys`, `values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
