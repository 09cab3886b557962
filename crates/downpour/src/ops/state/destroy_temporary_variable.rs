//! `DestroyTemporaryVariable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DestroyTemporaryVariable(ref) -> (value)`.
///
/// * `ref`: `T` (any type), a reference
/// * `var_name`: attribute, string
/// * gives `value`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn destroy_temporary_variable(ref_: &Output, var_name: &str) -> ForOutput {
    let mut node = NodeBuilder::new("DestroyTemporaryVariable").input(ref_);
    node.set("var_name", text(var_name));
    ForOutput(node)
}
