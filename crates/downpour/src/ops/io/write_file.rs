//! `WriteFile`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteFile(filename, contents) -> ()`.
///
/// * `filename`: string
/// * `contents`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_file(filename: &Output, contents: &Output) -> ForOperation {
    let node = NodeBuilder::new("WriteFile").input(filename).input(contents);
    ForOperation(node)
}
