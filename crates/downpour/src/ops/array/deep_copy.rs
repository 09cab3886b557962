//! `DeepCopy`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeepCopy(x) -> (y)`.
///
/// * `x`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Has no gradient. Has state or effects.
pub fn deep_copy(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("DeepCopy").input(x);
    ForOutput(node)
}
