//! `InplaceSub`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InplaceSub(x, i, v) -> (y)`.
///
/// * `x`: `T` (any type)
/// * `i`: int32
/// * `v`: `T` (any type)
/// * gives `y`: `T` (any type)
///
/// Has no gradient.
pub fn inplace_sub(x: &Output, i: &Output, v: &Output) -> ForOutput {
    let node = NodeBuilder::new("InplaceSub").input(x).input(i).input(v);
    ForOutput(node)
}
