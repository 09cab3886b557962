//! `ImportEvent`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ImportEvent(writer, event) -> ()`.
///
/// * `writer`: resource
/// * `event`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn import_event(writer: &Output, event: &Output) -> ForOperation {
    let node = NodeBuilder::new("ImportEvent").input(writer).input(event);
    ForOperation(node)
}
