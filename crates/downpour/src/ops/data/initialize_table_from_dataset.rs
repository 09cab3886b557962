//! `InitializeTableFromDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InitializeTableFromDataset(table_handle, dataset) -> ()`.
///
/// * `table_handle`: resource
/// * `dataset`: variant
///
/// Gradients do not flow through it. Has state or effects.
pub fn initialize_table_from_dataset(table_handle: &Output, dataset: &Output) -> ForOperation {
    let node = NodeBuilder::new("InitializeTableFromDataset").input(table_handle).input(dataset);
    ForOperation(node)
}
