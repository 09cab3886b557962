//! `WrapDatasetVariant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WrapDatasetVariant(input_handle) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * gives `output_handle`: variant
///
/// Has no gradient.
pub fn wrap_dataset_variant(input_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("WrapDatasetVariant").input(input_handle);
    ForOutput(node)
}
