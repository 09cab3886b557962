//! `IsVariableInitialized`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IsVariableInitialized(ref) -> (is_initialized)`.
///
/// * `ref`: `dtype` (any type), a reference
/// * gives `is_initialized`: bool
///
/// Gradients do not flow through it.
pub fn is_variable_initialized(ref_: &Output) -> ForOutput {
    let node = NodeBuilder::new("IsVariableInitialized").input(ref_);
    ForOutput(node)
}
