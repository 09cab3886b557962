//! `ReaderNumWorkUnitsCompleted`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderNumWorkUnitsCompleted(reader_handle) -> (units_completed)`.
///
/// * `reader_handle`: string, a reference
/// * gives `units_completed`: int64
///
/// Gradients do not flow through it.
pub fn reader_num_work_units_completed(reader_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReaderNumWorkUnitsCompleted").input(reader_handle);
    ForOutput(node)
}
