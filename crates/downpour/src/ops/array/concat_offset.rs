//! `ConcatOffset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ConcatOffset(concat_dim, shape) -> (offset)`.
///
/// * `concat_dim`: int32
/// * `shape`: `N` values of `shape_type` (int32, int64)
/// * gives `offset`: `N` values of `shape_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn concat_offset(concat_dim: &Output, shape: &[Output]) -> ForOutputs {
    let node = NodeBuilder::new("ConcatOffset").input(concat_dim).list(shape);
    ForOutputs(node)
}
