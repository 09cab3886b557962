//! `ToBool`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ToBool(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn to_bool(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("ToBool").input(input);
    ForOutput(node)
}
