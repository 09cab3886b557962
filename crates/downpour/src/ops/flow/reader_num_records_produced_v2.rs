//! `ReaderNumRecordsProducedV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderNumRecordsProducedV2(reader_handle) -> (records_produced)`.
///
/// * `reader_handle`: resource
/// * gives `records_produced`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_num_records_produced_v2(reader_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReaderNumRecordsProducedV2").input(reader_handle);
    ForOutput(node)
}
