//! `SplitV`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SplitV(value, size_splits, split_dim) -> (output)`.
///
/// * `value`: `T` (any type)
/// * `size_splits`: `Tlen` (int8, int32, int64)
/// * `split_dim`: int32
/// * `num_split`: attribute, int, at least 1
/// * gives `output`: `num_split` values of `T` (any type)
///
/// Differentiable.
pub fn split_v(
    value: &Output,
    size_splits: &Output,
    split_dim: &Output,
    num_split: i64,
) -> ForOutputs {
    let mut node = NodeBuilder::new("SplitV").input(value).input(size_splits).input(split_dim);
    node.set("num_split", num_split.into());
    ForOutputs(node)
}
