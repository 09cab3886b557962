//! `Exit`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Exit(data) -> (output)`.
///
/// * `data`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn exit(data: &Output) -> ForOutput {
    let node = NodeBuilder::new("Exit").input(data);
    ForOutput(node)
}
