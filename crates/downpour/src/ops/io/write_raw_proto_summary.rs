//! `WriteRawProtoSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteRawProtoSummary(writer, step, tensor) -> ()`.
///
/// * `writer`: resource
/// * `step`: int64
/// * `tensor`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_raw_proto_summary(writer: &Output, step: &Output, tensor: &Output) -> ForOperation {
    let node = NodeBuilder::new("WriteRawProtoSummary").input(writer).input(step).input(tensor);
    ForOperation(node)
}
