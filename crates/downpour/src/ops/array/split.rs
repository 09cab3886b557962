//! `Split`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Split(split_dim, value) -> (output)`.
///
/// * `split_dim`: int32
/// * `value`: `T` (any type)
/// * `num_split`: attribute, int, at least 1
/// * gives `output`: `num_split` values of `T` (any type)
///
/// Differentiable.
pub fn split(split_dim: &Output, value: &Output, num_split: i64) -> ForOutputs {
    let mut node = NodeBuilder::new("Split").input(split_dim).input(value);
    node.set("num_split", num_split.into());
    ForOutputs(node)
}
