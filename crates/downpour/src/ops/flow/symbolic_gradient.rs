//! `SymbolicGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SymbolicGradient(input) -> (output)`.
///
/// * `input`: several, of types `Tin`
/// * `Tout`: attribute, list(type), at least 1 long
/// * `f`: attribute, func
/// * gives `output`: several, of types `Tout`
///
/// Has no gradient.
pub fn symbolic_gradient(input: &[Output], tout: &[DataType], f: &Function) -> ForOutputs {
    let mut node = NodeBuilder::new("SymbolicGradient").list(input);
    node.set("Tout", tout.to_vec().into());
    node.set("f", f.clone().into());
    ForOutputs(node)
}
