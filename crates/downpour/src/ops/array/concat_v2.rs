//! `ConcatV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ConcatV2(values, axis) -> (output)`.
///
/// * `values`: `N` values of `T` (any type)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn concat_v2(values: &[Output], axis: &Output) -> ForOutput {
    let node = NodeBuilder::new("ConcatV2").list(values).input(axis);
    ForOutput(node)
}
