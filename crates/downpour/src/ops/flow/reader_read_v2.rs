//! `ReaderReadV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderReadV2(reader_handle, queue_handle) -> (key, value)`.
///
/// * `reader_handle`: resource
/// * `queue_handle`: resource
/// * gives `key`: string
/// * gives `value`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_read_v2(reader_handle: &Output, queue_handle: &Output) -> ReaderReadV2 {
    let node = NodeBuilder::new("ReaderReadV2").input(reader_handle).input(queue_handle);
    ReaderReadV2(node)
}

/// A `ReaderReadV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReaderReadV2(NodeBuilder);

impl ReaderReadV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> ReaderReadV2 {
        ReaderReadV2(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `value`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
