//! `ReaderRead`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderRead(reader_handle, queue_handle) -> (key, value)`.
///
/// * `reader_handle`: string, a reference
/// * `queue_handle`: string, a reference
/// * gives `key`: string
/// * gives `value`: string
///
/// Gradients do not flow through it.
pub fn reader_read(reader_handle: &Output, queue_handle: &Output) -> ReaderRead {
    let node = NodeBuilder::new("ReaderRead").input(reader_handle).input(queue_handle);
    ReaderRead(node)
}

/// A `ReaderRead` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReaderRead(NodeBuilder);

impl ReaderRead {
    /// Names the node.
    pub fn name(self, name: &str) -> ReaderRead {
        ReaderRead(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `value`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
