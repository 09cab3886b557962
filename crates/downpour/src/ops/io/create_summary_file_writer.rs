//! `CreateSummaryFileWriter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CreateSummaryFileWriter(writer, logdir, max_queue, flush_millis, filename_suffix) -> ()`.
///
/// * `writer`: resource
/// * `logdir`: string
/// * `max_queue`: int32
/// * `flush_millis`: int32
/// * `filename_suffix`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn create_summary_file_writer(
    writer: &Output,
    logdir: &Output,
    max_queue: &Output,
    flush_millis: &Output,
    filename_suffix: &Output,
) -> ForOperation {
    let node = NodeBuilder::new("CreateSummaryFileWriter")
        .input(writer)
        .input(logdir)
        .input(max_queue)
        .input(flush_millis)
        .input(filename_suffix);
    ForOperation(node)
}
