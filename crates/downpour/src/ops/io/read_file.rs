//! `ReadFile`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReadFile(filename) -> (contents)`.
///
/// * `filename`: string
/// * gives `contents`: string
///
/// Gradients do not flow through it.
pub fn read_file(filename: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReadFile").input(filename);
    ForOutput(node)
}
