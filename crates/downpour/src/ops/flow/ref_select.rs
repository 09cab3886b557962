//! `RefSelect`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RefSelect(index, inputs) -> (output)`.
///
/// * `index`: int32
/// * `inputs`: `N` values of `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_select(index: &Output, inputs: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("RefSelect").input(index).list(inputs);
    ForOutput(node)
}
