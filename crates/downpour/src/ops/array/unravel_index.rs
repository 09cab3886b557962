//! `UnravelIndex`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnravelIndex(indices, dims) -> (output)`.
///
/// * `indices`: `Tidx` (int32, int64)
/// * `dims`: `Tidx` (int32, int64)
/// * gives `output`: `Tidx` (int32, int64)
///
/// Gradients do not flow through it.
pub fn unravel_index(indices: &Output, dims: &Output) -> ForOutput {
    let node = NodeBuilder::new("UnravelIndex").input(indices).input(dims);
    ForOutput(node)
}
