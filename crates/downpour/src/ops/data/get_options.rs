//! `GetOptions`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GetOptions(input_dataset) -> (serialized_options)`.
///
/// * `input_dataset`: variant
/// * gives `serialized_options`: string
///
/// Has no gradient.
pub fn get_options(input_dataset: &Output) -> ForOutput {
    let node = NodeBuilder::new("GetOptions").input(input_dataset);
    ForOutput(node)
}
