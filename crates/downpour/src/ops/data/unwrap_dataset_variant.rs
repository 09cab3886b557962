//! `UnwrapDatasetVariant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnwrapDatasetVariant(input_handle) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * gives `output_handle`: variant
///
/// Has no gradient.
pub fn unwrap_dataset_variant(input_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("UnwrapDatasetVariant").input(input_handle);
    ForOutput(node)
}
