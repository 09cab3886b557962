//! `RefExit`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RefExit(data) -> (output)`.
///
/// * `data`: `T` (any type), a reference
/// * gives `output`: `T` (any type), a reference
///
/// Has no gradient.
pub fn ref_exit(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("RefExit").input(data);
    ForOutput(node)
}
