//! `GuaranteeConst`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GuaranteeConst(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn guarantee_const(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("GuaranteeConst").input(input);
    ForOutput(node)
}
