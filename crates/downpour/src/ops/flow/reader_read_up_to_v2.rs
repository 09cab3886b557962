//! `ReaderReadUpToV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderReadUpToV2(reader_handle, queue_handle, num_records) -> (keys, values)`.
///
/// * `reader_handle`: resource
/// * `queue_handle`: resource
/// * `num_records`: int64
/// * gives `keys`: string
/// * gives `values`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_read_up_to_v2(
    reader_handle: &Output,
    queue_handle: &Output,
    num_records: &Output,
) -> ReaderReadUpToV2 {
    let node = NodeBuilder::new("ReaderReadUpToV2")
        .input(reader_handle)
        .input(queue_handle)
        .input(num_records);
    ReaderReadUpToV2(node)
}

/// A `ReaderReadUpToV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReaderReadUpToV2(NodeBuilder);

impl ReaderReadUpToV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> ReaderReadUpToV2 {
        ReaderReadUpToV2(self.0.name(name))
    }

    /// Adds the node and gives (`keys`, `values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
