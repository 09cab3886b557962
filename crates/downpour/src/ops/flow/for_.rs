//! `For`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `For(start, limit, delta, input) -> (output)`.
///
/// * `start`: int32
/// * `limit`: int32
/// * `delta`: int32
/// * `input`: several, of types `T`
/// * `body`: attribute, func
/// * gives `output`: several, of types `T`
///
/// Has no gradient.
pub fn for_(
    start: &Output,
    limit: &Output,
    delta: &Output,
    input: &[Output],
    body: &Function,
) -> ForOutputs {
    let mut node = NodeBuilder::new("For").input(start).input(limit).input(delta).list(input);
    node.set("body", body.clone().into());
    ForOutputs(node)
}
