//! `ExpandDims`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExpandDims(input, dim) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `dim`: `Tdim` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn expand_dims(input: &Output, dim: &Output) -> ForOutput {
    let node = NodeBuilder::new("ExpandDims").input(input).input(dim);
    ForOutput(node)
}
