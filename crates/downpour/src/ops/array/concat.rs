//! `Concat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Concat(concat_dim, values) -> (output)`.
///
/// * `concat_dim`: int32
/// * `values`: `N` values of `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn concat(concat_dim: &Output, values: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("Concat").input(concat_dim).list(values);
    ForOutput(node)
}
