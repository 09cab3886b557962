//! `CountUpTo`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CountUpTo(ref) -> (output)`.
///
/// * `ref`: `T` (int32, int64), a reference
/// * `limit`: attribute, int
/// * gives `output`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn count_up_to(ref_: &Output, limit: i64) -> ForOutput {
    let mut node = NodeBuilder::new("CountUpTo").input(ref_);
    node.set("limit", limit.into());
    ForOutput(node)
}
