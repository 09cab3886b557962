//! `ReaderNumWorkUnitsCompletedV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderNumWorkUnitsCompletedV2(reader_handle) -> (units_completed)`.
///
/// * `reader_handle`: resource
/// * gives `units_completed`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_num_work_units_completed_v2(reader_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReaderNumWorkUnitsCompletedV2").input(reader_handle);
    ForOutput(node)
}
