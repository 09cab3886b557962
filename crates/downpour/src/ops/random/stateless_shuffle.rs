//! `StatelessShuffle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessShuffle(value, key, counter, alg) -> (output)`.
///
/// * `value`: `T` (any type)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * gives `output`: `T` (any type)
///
/// Gradients do not flow through it.
pub fn stateless_shuffle(
    value: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("StatelessShuffle").input(value).input(key).input(counter).input(alg);
    ForOutput(node)
}
