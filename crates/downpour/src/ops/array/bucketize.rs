//! `Bucketize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Bucketize(input) -> (output)`.
///
/// * `input`: `T` (int32, int64, float, double)
/// * `boundaries`: attribute, list(float)
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn bucketize(input: &Output, boundaries: &[f32]) -> ForOutput {
    let mut node = NodeBuilder::new("Bucketize").input(input);
    node.set("boundaries", boundaries.to_vec().into());
    ForOutput(node)
}
