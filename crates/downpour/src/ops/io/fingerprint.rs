//! `Fingerprint`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Fingerprint(data, method) -> (fingerprint)`.
///
/// * `data`: `T` (any type)
/// * `method`: string
/// * gives `fingerprint`: uint8
///
/// Gradients do not flow through it.
pub fn fingerprint(data: &Output, method: &Output) -> ForOutput {
    let node = NodeBuilder::new("Fingerprint").input(data).input(method);
    ForOutput(node)
}
