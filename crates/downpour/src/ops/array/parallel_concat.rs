//! `ParallelConcat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ParallelConcat(values) -> (output)`.
///
/// * `values`: `N` values of `T` (any type)
/// * `shape`: attribute, shape
/// * gives `output`: `T` (any type)
///
/// Has no gradient.
pub fn parallel_concat(values: &[Output], shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("ParallelConcat").list(values);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}
