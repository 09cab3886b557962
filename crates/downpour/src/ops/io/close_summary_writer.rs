//! `CloseSummaryWriter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CloseSummaryWriter(writer) -> ()`.
///
/// * `writer`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn close_summary_writer(writer: &Output) -> ForOperation {
    let node = NodeBuilder::new("CloseSummaryWriter").input(writer);
    ForOperation(node)
}
