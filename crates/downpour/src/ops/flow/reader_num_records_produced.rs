//! `ReaderNumRecordsProduced`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderNumRecordsProduced(reader_handle) -> (records_produced)`.
///
/// * `reader_handle`: string, a reference
/// * gives `records_produced`: int64
///
/// Gradients do not flow through it.
pub fn reader_num_records_produced(reader_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReaderNumRecordsProduced").input(reader_handle);
    ForOutput(node)
}
